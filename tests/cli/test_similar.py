"""``nlpfeat similar``: which words, with which counts beside them, and from where."""

import math
from contextlib import nullcontext
from pathlib import Path

import pytest

from nlpfeat import Corpus, count_cooccurrences, load_everyday, pmi
from nlpfeat.cli import output
from nlpfeat.cli.work import similar
from nlpfeat.counts.counting import count_spool
from nlpfeat.features.pmi_embedding import PmiEmbedding
from nlpfeat.vectors import embedding
from nlpfeat.vectors.word_vectors import WordVectors

# 好 and 坏 stand in the same places; cut already, so that everything can be counted by hand.
TEXT = "今天 天气 好\n今天 天气 坏\n昨天 心情 好\n昨天 心情 坏\n茶 叶\n"
EACH = ("--segmenter", "whitespace", "--min-term-count", "1", "--window", "1")
HEADER = ["x", "y", "cosine", "pmi", "n_xy", "n_x", "n_y"]


@pytest.fixture
def text(write) -> str:
    return write("text.txt", TEXT)


@pytest.fixture
def table(run):
    """Run the command without a word; return the header and the rows."""

    def table_of(*arguments: str, **settings: object) -> list[list[str]]:
        result = run("similar", *arguments, "--quiet", **settings)
        assert result.stderr == ""
        return [line.split("\t") for line in result.stdout.splitlines()]

    return table_of


class TestTable:
    def test_by_hand(self, table, text) -> None:
        header, first, *rest = table("好", "--corpus", text, *EACH)
        assert header == HEADER
        # 坏 has the same neighbors, so the same row of PPMI; never beside it, so without PMI.
        assert first == ["好", "坏", "1.0", "", "0", "2", "2"]
        together = {row[1]: row[3:] for row in rest}
        # N = 18 pairs of places, from either side; 天气 is in 4 of them, 好 in 2, both in 1.
        assert together["天气"] == [str(math.log2(1 * 18 / (2 * 4))), "1", "2", "4"]
        assert len(rest) == 6

    def test_counts_and_pmi_are_those_of_the_library(self, table) -> None:
        rows = table("医生", "--corpus", "dataset:everyday", "--top", "50",
                     "--n-components", "20")[1:]  # fmt: skip
        assert len(rows) == 50
        counts = count_cooccurrences(load_everyday(), min_term_count=5)
        scores, ids = pmi(counts), counts.vocabulary.ids
        for x, y, _, value, n_xy, n_x, n_y in rows:
            at = ids[x], ids[y]
            assert int(n_xy) == counts.matrix[at]
            assert [int(n_x), int(n_y)] == [counts.x_margin[at[0]], counts.y_margin[at[1]]]
            assert (value == "") == (n_xy == "0")
            assert not value or float(value) == pytest.approx(scores[at])
        assert any(row[3] for row in rows)

    def test_cosines_are_those_of_the_estimator(self, table, text) -> None:
        rows = table("好", "茶", "--corpus", text, *EACH, "--top", "3", "--n-components", "4")[1:]
        embedding = PmiEmbedding(4, segmenter="whitespace", window=1, min_term_count=1)
        embedding.fit(Corpus(text))
        assert [row[0] for row in rows] == ["好"] * 3 + ["茶"] * 3
        for x, y, cosine, *_ in rows:
            assert float(cosine) == pytest.approx(embedding.similarity(x, y), abs=1e-9)

    def test_word2vec(self, table) -> None:
        arguments = ("医生", "--corpus", "dataset:everyday", "--method", "word2vec", "--top", "5",
                     "--n-components", "20")  # fmt: skip
        rows = table(*arguments)
        assert rows[0] == HEADER
        assert table(*arguments) == rows
        assert table(*arguments, "--jobs", "2") == rows
        assert table(*arguments, "--seed", "1") != rows

    def test_spellings_are_one_word(self, table, write) -> None:
        path = write("a.txt", "买 VIP 卡\n买 会员 卡\n")
        rows = table("ＶＩＰ", "--corpus", path, *EACH, "--top", "1")
        assert rows[1][:3] == ["vip", "会员", "1.0"]

    def test_it_is_said_what_closeness_means(self, run, text) -> None:
        told = run("similar", "好", "--corpus", text, *EACH).stderr
        assert "they need not mean the same: 好 and 坏 may be near." in told
        assert "5 documents, 14 tokens, 8 terms; N = 18; 8 dimensions" in told
        assert "好 and 坏 may be near" in run("similar", "--help").stdout

    @pytest.mark.parametrize(("method", "step"), [("svd", "factorizing"), ("word2vec", "learning")])
    def test_it_is_shown_that_vectors_are_learned(
        self, run, text, monkeypatch, method, step
    ) -> None:
        shown: list[tuple[str, int, int | None]] = []
        monkeypatch.setattr(
            output, "progress", lambda **_: nullcontext(lambda *done: shown.append(done))
        )
        run("similar", "好", "--corpus", text, *EACH, "--method", method)
        learning = [done for done in shown if done[0] == step]
        assert learning == [(step, 0, None), (step, 1, 1)]

    @pytest.mark.parametrize("method", ["svd", "word2vec"])
    def test_the_text_is_counted_once(self, run, text, monkeypatch, method) -> None:
        counted = []
        for home in (embedding, similar):
            monkeypatch.setattr(
                home, "count_spool",
                lambda *args, **settings: counted.append(1) or count_spool(*args, **settings),
            )  # fmt: skip
        run("similar", "好", "--corpus", text, *EACH, "--method", method)
        assert counted == [1]

    def test_standard_input(self, table, text) -> None:
        from_file = table("好", "--corpus", text, *EACH)
        assert table("好", "--corpus", "-", *EACH, stdin=TEXT) == from_file

    def test_several_corpora(self, table, write) -> None:
        first, second = write("1.txt", TEXT[:16]), write("2.txt", TEXT[16:])
        whole = table("好", "--corpus", write("a.txt", TEXT), *EACH)
        assert table("好", "-c", first, "-c", second, *EACH) == whole

    def test_same_bytes_from_run_to_run_and_on_two_processes(self, start, folder: Path) -> None:
        for name, jobs in (("1.tsv", "1"), ("2.tsv", "2")):
            start("similar", "好", "医生", "--corpus", "dataset:everyday", "--jobs", jobs,
                  "--n-components", "20", "--output", name, check=True,
                  variables={"PYTHONHASHSEED": jobs})  # fmt: skip
        assert (folder / "1.tsv").read_bytes() == (folder / "2.tsv").read_bytes()


class TestVectors:
    @pytest.mark.parametrize("name", ["v.npz", "v.txt", "v.vec.gz"])
    def test_saved_and_loaded(self, table, text, folder, name) -> None:
        learned = table("好", "--corpus", text, *EACH, "--save-vectors", name)
        loaded = table("好", "--vectors", name)
        assert loaded[0] == HEADER[:3]
        assert loaded[1] == ["好", "坏", "1.0"]
        assert {row[1] for row in loaded} == {row[1] for row in learned}
        if name == "v.npz":
            assert [row[:3] for row in learned] == loaded
            assert WordVectors.load(folder / name).settings["window"] == 1

    def test_a_word_without_a_vector(self, run, text) -> None:
        run("similar", "好", "--corpus", text, *EACH, "--save-vectors", "v.npz")
        told = run("similar", "心晴", "--vectors", "v.npz", "-q", code=1).stderr
        assert "Got '心晴'. Did you mean '心情'?" in told
        result = run("similar", "好", "心晴", "--vectors", "v.npz", code=1)
        assert "Close words" not in result.stderr

    def test_no_vectors(self, run, write) -> None:
        told = run("similar", "好", "--vectors", "no.npz", "-q", code=1).stderr
        assert told == "nlpfeat: cannot read 'no.npz': No such file or directory.\n"
        told = run("similar", "好", "--vectors", write("v.txt", "好\n"), "-q", code=1).stderr
        assert "line 1 must hold the number of words" in told

    def test_metadata(self, run, text, folder) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        run("similar", "好", "--corpus", text, *EACH, "--output", "a.parquet")
        metadata = parquet.read_schema(folder / "a.parquet").metadata
        assert metadata[b"corpus"] == b"text.txt"
        assert metadata[b"method"] == b"svd"
        assert metadata[b"n"] == b"18"
        assert metadata[b"lowercase"] == b"True"


class TestBadInput:
    def refused(self, run, *arguments, code=1, **settings) -> str:
        result = run("similar", *arguments, "--quiet", code=code, **settings)
        assert result.stdout == ""
        return result.stderr.splitlines()[-1]

    def test_unknown_word(self, run, text) -> None:
        told = self.refused(run, "今夭", "--corpus", text, *EACH)
        assert told == "nlpfeat: '今夭' is no word of the text. Did you mean '今天'?"
        rare = ("--segmenter", "whitespace", "--min-term-count", "2")
        told = self.refused(run, "茶", "--corpus", text, *rare)
        assert told == (
            "nlpfeat: '茶' was left out: it occurs once in the text, which is too rare "
            "(--min-term-count, --max-terms)."
        )
        told = self.refused(run, "今夭", "--corpus", text, *rare)
        assert "or it was left out (--min-term-count, --max-terms, --stop-words)" in told

    def test_a_word_that_is_written_in_full_width(self, run, write) -> None:
        path = write("a.txt", "下载这个APP。\n" + "今天天气很好。\n" * 9)
        told = self.refused(run, "ＡＰＰ", "--corpus", path)
        assert told.startswith("nlpfeat: 'app' was left out: it occurs once")
        told = self.refused(run, "ＡＰＰＳ", "--corpus", path)
        assert told.startswith("nlpfeat: 'apps' is no word of the text, or it was left out")

    def test_a_file_among_the_words(self, run, text, write) -> None:
        told = self.refused(run, "好", text, code=2)
        assert told.endswith("text.txt is a file: did you mean --corpus text.txt?")
        told = self.refused(run, "好", write("v.npz", "PK"), code=2)
        assert told.endswith("v.npz is a file: did you mean --vectors v.npz?")

    def test_a_word_that_is_cut(self, run) -> None:
        told = self.refused(run, "天气好", "--corpus", "dataset:everyday")
        assert told.endswith("is cut into 天气 好. Keep it whole with --user-word 天气好.")

    @pytest.mark.parametrize("content", ["", "\n　\n"])
    def test_no_text(self, run, write, content) -> None:
        assert "holds no token" in self.refused(run, "好", "--corpus", write("a.txt", content))

    def test_nothing_but_punctuation(self, run, write) -> None:
        told = self.refused(run, "好", "--corpus", write("a.txt", "，。！\n"))
        assert "'好' is no word of the text." in told

    def test_too_little_text(self, run, text) -> None:
        told = self.refused(run, "好", "--corpus", text, "--segmenter", "whitespace")
        assert "No term occurs at least 5 times; the most frequent one occurs 2 times." in told

    def test_missing_file(self, run) -> None:
        assert "There is no file or folder no.txt" in self.refused(run, "好", "--corpus", "no.txt")

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            ([], "give either --corpus or --vectors."),
            (["--corpus", "text.txt", "--vectors", "v.npz"], "give either --corpus or --vectors."),
            (["--vectors", "v.npz", "--window", "3"], "--window is an option of --corpus, not of"),
            (["--vectors", "v.npz", "--no-hmm"], "--no-hmm is an option of --corpus"),
            (["--vectors", "v.npz", "--save-vectors", "w.npz"], "--save-vectors is an option of"),
            (["--corpus", "text.txt", "--method", "svn"], "Did you mean 'svd'?"),
            (["--corpus", "text.txt", "--top", "0"], "--top: top must be an integer"),
            (["--corpus", "text.txt", "--n-components", "0"], "n_components must be an integer"),
            (["--corpus", "text.txt", "--min-term-count", "0"], "min_term_count must be"),
            (["--corpus", "text.txt", "--window", "x"], "window must be a whole number"),
            (["--corpus", "text.txt", "--seed", "-1"], "seed must be an integer"),
            (["--corpus", "text.txt", "--window", "all", "--method", "word2vec"], "needs a window"),
            (["--corpus", "text.txt", "--save-vectors", "v.bin"], "'v.bin' must end in one of"),
            (["--corpus", "text.txt", "--output", "a.npz"], "'a.npz' must end in one of .tsv"),
            (["--corpus", "text.txt", "--output", "a.jsonl", "--excel"], "--excel is for"),
        ],
    )
    def test_usage(self, run, text, arguments, told) -> None:
        assert told in self.refused(run, "好", *arguments, code=2)

    @pytest.mark.parametrize("option", ["--output", "--save-vectors"])
    def test_what_cannot_be_written_is_seen_before_the_text_is_read(self, run, option) -> None:
        name = "no/a.tsv" if option == "--output" else "no/a.npz"
        told = run("similar", "好", "--corpus", "dataset:everyday", option, name, code=1).stderr
        assert "the folder 'no' does not exist" in told
        assert "tokens" not in told
