"""``nlpfeat diagnose --model``: heads and answers of a trained classifier, on texts."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from nlpfeat import AttentionClassifier, BagOfWordsVectorizer, save
from nlpfeat.priors import WidePrior

GOOD = ["味道 很好 ，喜欢", "很好 的 茶", "环境 好 ，服务 好", "喜欢 这 家 店"]
BAD = ["味道 太 差", "不 喜欢 这 茶", "服务 差 ，环境 差", "太 慢 了"]
TEXTS = [*GOOD, *BAD]


@pytest.fixture(scope="module")
def classifier() -> AttentionClassifier:
    model = AttentionClassifier(
        n_layers=1, d_model=16, n_heads=2, max_epochs=6, batch_size=4, min_df=1, random_state=0,
        device="cpu",
    )  # fmt: skip
    return model.fit(TEXTS, [1, 1, 1, 1, 0, 0, 0, 0])


@pytest.fixture
def files(classifier, folder: Path, write) -> tuple[str, str]:
    save(classifier, folder / "m.skops")
    return "m.skops", write("a.txt", "\n".join(TEXTS) + "\n")


@pytest.fixture
def measured(run, files):
    """Return the rows of the command, from setting to measured value."""
    model, texts = files

    def measured_by(*arguments: str) -> dict[str, tuple[str, float]]:
        given = run("diagnose", "--model", model, "--corpus", texts, "--quiet", *arguments)
        header, *rows = (line.split("\t") for line in given.stdout.splitlines())
        assert header == ["diagnostic", "name", "setting", "measured"]
        return {setting: (number, float(value)) for number, _, setting, value in rows}

    return measured_by


def test_heads_by_scipy(measured, classifier) -> None:
    found = measured()
    layers, pooling = [], []
    for seen in classifier.attention_weights(TEXTS):
        layers += list(jensenshannon(seen.layers[0, 0], seen.layers[0, 1], base=2, axis=1) ** 2)
        pooling += list(jensenshannon(seen.pooling[0], seen.pooling[1], base=2, axis=1) ** 2)
    number, value = found["layer 1: divergence of heads 1 and 2"]
    assert number == "d6"
    assert value == pytest.approx(np.mean(layers), rel=1e-4)
    assert found["pooling: divergence of heads 1 and 2"][1] == pytest.approx(
        np.mean(pooling), rel=1e-4
    )
    assert found["pooling: clusters of 2 heads"][1] == 1 + (np.mean(pooling) > 0.1)


def test_answers_without_the_strongest_token_by_hand(measured, classifier) -> None:
    found = measured()
    before = classifier.predict_proba(TEXTS)
    left = []
    for seen in classifier.attention_weights(TEXTS):
        place = int(seen.token_weights.argmax())
        left.append(seen.tokens[:place] + seen.tokens[place + 1 :])
    after = classifier.predict_proba(left)
    answers = before.argmax(1)
    stay = (after.argmax(1) == answers).mean()
    change = np.log(after[range(8), answers] / before[range(8), answers]).mean()
    which = "without the token with the most weight"
    assert found[f"{which}: answers that stay"] == ("d10", pytest.approx(stay, abs=1e-5))
    assert found[f"{which}: change of their log-probability"][1] == pytest.approx(change, rel=1e-3)
    assert 0 <= found["without a random token as frequent: answers that stay"][1] <= 1


def without_strongest(model, rows, find):
    """Return what is measured, by hand: the texts as they are, and each without its token."""
    left = [find(row, int(model.attention_weights([TEXTS[row]])[0].token_weights.argmax()))
            for row in rows]  # fmt: skip
    before, after = (np.asarray(model.predict_proba(each)) for each in (TEXTS, left))
    answers = before.argmax(1)
    return (after.argmax(1) == answers).mean(), np.log(
        after[rows, answers] / before[rows, answers]
    ).mean()


@pytest.mark.parametrize("unit", ["char", "word"])
def test_priors_read_words_where_a_token_is_gone(unit, run, folder, write) -> None:
    """A wide part of words: characters as tokens of their own would be words that it never saw."""
    prior = WidePrior(word_ngrams=(1, 1), char_ngrams=None, min_df=1, strength=1.0)
    model = AttentionClassifier(
        unit=unit, n_layers=1, d_model=16, n_heads=2, max_epochs=2, batch_size=4, min_df=1,
        random_state=0, device="cpu", priors=[prior], calibration_fraction=0.0,
        segmenter="whitespace",
    )  # fmt: skip
    model.fit(TEXTS, [1, 1, 1, 1, 0, 0, 0, 0])

    def characters(row, place):
        at = [at for at, character in enumerate(TEXTS[row]) if character != " "][place]
        return TEXTS[row][:at] + TEXTS[row][at + 1 :]

    def words(row, place):
        return [word for at, word in enumerate(TEXTS[row].split()) if at != place]

    rows = list(range(len(TEXTS)))
    stay, change = without_strongest(model, rows, characters if unit == "char" else words)
    if unit == "char":
        split = model.predict_proba([list(text.replace(" ", "")) for text in TEXTS])
        assert np.abs(split - model.predict_proba(TEXTS)).max() > 0.05
    save(model, folder / "w.skops")
    write("a.txt", "\n".join(TEXTS) + "\n")
    table = run("diagnose", "--model", "w.skops", "--corpus", "a.txt", "--quiet").stdout
    found = dict(line.split("\t")[2:] for line in table.splitlines())
    which = "without the token with the most weight"
    assert float(found[f"{which}: answers that stay"]) == pytest.approx(stay, abs=1e-5)
    assert float(found[f"{which}: change of their log-probability"]) == pytest.approx(
        change, rel=1e-3
    )


def test_seeds_choose_the_random_tokens_alone(measured) -> None:
    first, second = measured("--seed", "0"), measured("--seed", "1")
    differing = {setting for setting in first if first[setting] != second[setting]}
    assert differing <= {setting for setting in first if "random" in setting}
    assert measured("--seed", "1") == second


def test_first_documents_alone(run, files) -> None:
    model, texts = files
    result = run("diagnose", "--model", model, "--corpus", texts, "--max-documents", "3")
    assert "3 documents" in result.stderr.splitlines()


def test_long_documents_are_told_once(run, folder, write, monkeypatch) -> None:
    monkeypatch.setattr("nlpfeat.cli.work.diagnose_model._AT_ONCE", 2)
    model = AttentionClassifier(
        n_layers=1, d_model=8, n_heads=2, max_epochs=1, min_df=1, max_length=12, random_state=0,
        device="cpu",
    )  # fmt: skip
    save(model.fit(TEXTS, [1, 1, 1, 1, 0, 0, 0, 0]), folder / "m.skops")
    write("a.txt", "\n".join([*TEXTS, "茶" * 13, "好" * 30]) + "\n")
    told = run("diagnose", "--model", "m.skops", "--corpus", "a.txt").stderr.splitlines()
    assert [line for line in told if "max_length" in line] == [
        "2 of 10 documents have more than max_length=12 tokens, the longest 30: what stands "
        "behind is not read; max_length is that of fit."
    ]


def test_blank_texts_do_not_count(run, files, write, measured) -> None:
    model, texts = files
    spaced = write("b.txt", "\n\n".join(TEXTS) + "\n\n")
    given = [run("diagnose", "--model", model, "-c", path, "-q").stdout for path in (texts, spaced)]
    assert given[0] == given[1]


def test_metadata(run, files, folder) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    model, texts = files
    run("diagnose", "--model", model, "--corpus", texts, "--output", "a.parquet")
    metadata = parquet.read_schema(folder / "a.parquet").metadata
    assert (metadata[b"model"], metadata[b"corpus"]) == (b"m.skops", b"a.txt")
    assert metadata[b"n_documents"] == b"8"


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--model", "m.skops"], "--model needs texts: name them with --corpus"),
            (["--corpus", "a.txt"], "name a saved AttentionClassifier with --model. Without one"),
            (["--unit", "file"], "--unit is an option of --model"),
            (["--max-documents", "5"], "--max-documents is an option of --model"),
            (["--model", "m.skops", "-c", "a.txt", "--only", "d6"], "--only is an option of the"),
            (["--model", "m.skops", "-c", "a.txt", "--max-documents", "0"], "at least 1. Got 0"),
        ],
    )
    def test_usage(self, run, files, arguments, told) -> None:
        assert told in run("diagnose", *arguments, code=2).stderr

    def test_output_in_the_place_of_the_model(self, run, classifier, folder, write) -> None:
        save(classifier, folder / "m.csv")
        write("a.txt", "好\n")
        told = run("diagnose", "--model", "m.csv", "-c", "a.txt", "-o", "m.csv", code=2).stderr
        assert "m.csv would replace m.csv, which is to be read" in told

    def test_another_estimator(self, run, folder, write) -> None:
        save(BagOfWordsVectorizer().fit(["好 茶"]), folder / "m.skops")
        write("a.txt", "好\n")
        told = run("diagnose", "--model", "m.skops", "--corpus", "a.txt", "-q", code=1).stderr
        assert told == (
            "nlpfeat: m.skops must hold an AttentionClassifier. Got a BagOfWordsVectorizer, which "
            "has no heads.\n"
        )

    def test_not_fitted(self, run, folder, write) -> None:
        save(AttentionClassifier(), folder / "m.skops")
        write("a.txt", "好\n")
        told = run("diagnose", "--model", "m.skops", "--corpus", "a.txt", code=2).stderr
        assert "m.skops holds an AttentionClassifier that is not fitted" in told
        assert "fault of nlpfeat" not in told

    def test_no_model(self, run, write) -> None:
        write("a.txt", "好\n")
        told = run("diagnose", "--model", "no.skops", "--corpus", "a.txt", "-q", code=1).stderr
        assert "no.skops" in told
        assert "fault of nlpfeat" not in told

    def test_single_tokens(self, run, files, write) -> None:
        told = run(
            "diagnose", "--model", files[0], "-c", write("b.txt", "好\n\n茶\n"), "-q", code=1
        )
        assert told.stderr.startswith("nlpfeat: No text has two tokens: there is nothing to")
