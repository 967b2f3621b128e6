"""``nlpfeat topics``: the topics, what is said of them, and the model that is kept."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from nlpfeat import count_cooccurrences
from nlpfeat.cli.work.topics import _MOST_TOPICS
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.measures.coherence import topic_coherence
from nlpfeat.persistence import load
from nlpfeat.text.segmenters.simple import WhitespaceSegmenter
from nlpfeat.topics import tomotopy_engine

LINES = ["房间 干净 早餐", "早餐 房间 前台", "书 作者 故事", "故事 作者 书 内容 书"] * 5
TEXT = "".join(f"{line}\n" for line in LINES)
EACH = ("--segmenter", "whitespace", "--topics", "2")
HEADER = ["topic", "rank", "term", "weight", "topic_share", "coherence"]


@pytest.fixture
def text(write) -> str:
    return write("a.txt", TEXT)


@pytest.fixture
def rows(run):
    """Run the command without a word; return the header and the rows."""

    def rows_of(*arguments: str, **settings: object) -> list[list[str]]:
        result = run("topics", *arguments, "--quiet", **settings)
        assert result.stderr == ""
        return [line.split("\t") for line in result.stdout.splitlines()]

    return rows_of


class TestTable:
    def test_two_subjects_fall_apart(self, rows, text) -> None:
        header, *got = rows(text, *EACH, "--top-terms", "3")
        assert header == HEADER
        # Books come first: 40 of 70 tokens. The third of a topic may be one of two.
        assert [row[1] for row in got] == ["1", "2", "3"] * 2
        assert got[0][2] == "书"
        assert {row[2] for row in got[:3]} == {"书", "作者", "故事"}
        assert {row[2] for row in got[3:5]} == {"房间", "早餐"}
        assert float(got[0][4]) == pytest.approx(40 / 70, abs=0.01)
        assert got[0][0] != got[3][0]

    def test_one_row_a_topic(self, rows, text) -> None:
        long = rows(text, *EACH, "--top-terms", "3")[1:]
        header, *wide = rows(text, *EACH, "--top-terms", "3", "--wide")
        assert header == ["topic", "topic_share", "coherence", "terms"]
        assert wide == [
            [*(long[at][column] for column in (0, 4, 5)),
             " ".join(row[2] for row in long[at : at + 3])]
            for at in (0, 3)
        ]  # fmt: skip

    @pytest.mark.parametrize("coherence", ["c_npmi", "u_mass"])
    def test_numbers_are_those_of_the_library(self, rows, text, coherence) -> None:
        got = rows(text, *EACH, "--top-terms", "4", "--seed", "3", "--coherence", coherence)[1:]
        vectorizer = BagOfWordsVectorizer(segmenter="whitespace")
        lda = LdaTransformer(2, random_state=3).fit(vectorizer.fit_transform(LINES))
        terms = lda.top_terms(vectorizer.get_feature_names_out(), 4)
        words = [[term for term, _ in topic] for topic in terms]
        how = {"window": "all"} if coherence == "u_mass" else {"window": 10, "counting": "windows"}
        counts = count_cooccurrences(LINES, "whitespace", **how)
        values = topic_coherence(words, counts, coherence)
        for topic, rank, term, weight, share, value in got:
            number = int(topic)
            wanted = terms[number][int(rank) - 1]
            assert (term, float(weight)) == wanted
            assert float(share) == lda.topic_weights_[number] / lda.topic_weights_.sum()
            assert float(value) == values[number]

    def test_options_reach_the_vectorizer(self, rows, text, write) -> None:
        stop = write("stop.txt", "书\n")
        words = {row[2] for row in rows(text, *EACH, "--stop-words", stop)[1:]}
        assert words == {"房间", "干净", "早餐", "前台", "作者", "故事", "内容"}
        frequent = rows(text, *EACH, "--min-df", "9", "--max-features", "3")[1:]
        # Four words occur ten times; ties go by code point.
        assert {row[2] for row in frequent} == {"书", "作者", "房间"}

    def test_standard_input_is_read_once(self, rows, text) -> None:
        assert rows("-", *EACH, stdin=TEXT) == rows(text, *EACH)

    def test_spellings_are_as_asked_for(self, rows, write) -> None:
        path = write("b.txt", "GDP gdp 增长\nGDP 增长 ＧＤＰ\n的 ！ gdp\n" * 4)
        words = {row[2] for row in rows(path, *EACH, "--no-lowercase", "--no-fold-width")[1:]}
        assert words == {"GDP", "gdp", "ＧＤＰ", "增长", "的"}
        words = {row[2] for row in rows(path, *EACH, "--keep-punctuation")[1:]}
        assert words == {"gdp", "增长", "的", "！"}

    def test_another_seed_is_another_result(self, rows, text) -> None:
        once = (text, *EACH, "--passes", "1")
        assert rows(*once, "--seed", "1") != rows(*once, "--seed", "2")
        assert rows(*once) != rows(text, *EACH)

    @pytest.mark.skipif(find_spec("tomotopy") is None, reason="tomotopy is not installed")
    def test_tomotopy(self, rows, text) -> None:
        got = rows(text, *EACH, "--topic-engine", "tomotopy", "--top-terms", "3")
        assert {row[2] for row in got[1:4]} == {"书", "作者", "故事"}
        assert got == rows(text, *EACH, "--topic-engine", "tomotopy", "--top-terms", "3")

    def test_stop_words_that_are_cut_apart_are_told(self, run, write, text) -> None:
        words = write("stop.txt", "人工智能技术\n的\n")
        arguments = ("topics", text, "--topics", "2", "--stop-words", words)
        assert "人工智能技术 (人工智能 技术)" in run(*arguments).stderr
        assert "人工智能技术" not in run(*arguments, "--user-word", "人工智能技术").stderr

    def test_more_topics_than_documents_are_warned_of(self, run, write, text) -> None:
        few = write("few.txt", "房间 干净\n书 作者\n")
        told = run("topics", few, "--segmenter", "whitespace", "--topics", "3").stderr
        assert "fewer documents than topics, 2 and 3" in told
        assert "fewer documents" not in run("topics", text, *EACH).stderr

    def test_said_beside(self, run, text) -> None:
        told = run("topics", text, *EACH).stderr
        assert "20 documents, 70 tokens of 8 terms" in told
        assert "mean c_npmi " in told

    def test_the_text_is_cut_once(self, run, text, monkeypatch) -> None:
        cut = []

        def segment(self: WhitespaceSegmenter, piece: str) -> list[str]:
            cut.append(piece)
            return piece.split()

        monkeypatch.setattr(WhitespaceSegmenter, "segment", segment)
        monkeypatch.setattr(
            WhitespaceSegmenter, "cut_batch", lambda self, texts: [segment(self, t) for t in texts]
        )
        run("topics", text, *EACH)
        assert sorted(cut) == sorted(LINES)


class TestModel:
    @pytest.mark.slow
    def test_is_the_pipeline(self, rows, run, text, folder: Path) -> None:
        got = rows(text, *EACH, "--model", "m.skops", "--top-terms", "2")
        pipeline = load(folder / "m.skops")
        shares = pipeline.transform(["房间 早餐 早餐", "作者 书"])
        books, rooms = int(got[1][0]), int(got[3][0])
        assert shares[0, rooms] > 0.9
        assert shares[1, books] > 0.9
        assert pipeline.get_feature_names_out().tolist() == ["lda0", "lda1"]

    @pytest.mark.slow
    def test_jieba_stays_what_it_was(self, run, write, folder: Path) -> None:
        path = write("a.txt", "云原生底座很快\n云原生底座很好\n今天天气很好\n")
        run("topics", path, "--topics", "2", "--user-word", "云原生底座", "--model", "m.skops")
        vectorizer = load(folder / "m.skops").named_steps["counts"]
        assert "云原生底座" in vectorizer.get_feature_names_out()
        assert vectorizer.transform(["云原生底座"]).sum() == 1

    @pytest.mark.slow
    def test_same_bytes_from_run_to_run_and_on_two_processes(self, start, text, folder) -> None:
        for jobs in ("1", "2"):
            start("topics", text, *EACH, "--jobs", jobs, "--output", f"{jobs}.tsv",
                  "--model", f"{jobs}.skops", check=True,
                  variables={"PYTHONHASHSEED": jobs})  # fmt: skip
        for ending in ("tsv", "skops"):
            first = (folder / f"1.{ending}").read_bytes()
            assert (folder / f"2.{ending}").read_bytes() == first

    def test_that_cannot_be_written_is_seen_before_the_text_is_read(self, run) -> None:
        told = run("topics", "dataset:everyday", "--model", "no/m.skops", code=1).stderr
        assert "the folder 'no' does not exist" in told
        assert "tokens" not in told


class TestBadInput:
    def told(self, run, *arguments, code=1) -> str:
        result = run("topics", *arguments, "--quiet", code=code)
        assert result.stdout == ""
        return result.stderr.splitlines()[-1]

    @pytest.mark.parametrize("content", ["", "\n　\n", "，。！\n"])
    def test_no_text(self, run, write, content) -> None:
        assert "nothing but blanks" in self.told(run, write("a.txt", content))

    def test_one_word(self, run, write) -> None:
        told = self.told(run, write("a.txt", "茶 茶\n"), *EACH)
        assert told.startswith("nlpfeat: Topics need two different words at least, and 1 is left.")

    def test_one_document(self, rows, write) -> None:
        assert len(rows(write("a.txt", "茶 叶\n"), *EACH)) == 5

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--topics", "0"], "--topics: topics must be an integer that is at least 1"),
            (["--top-terms", "1"], "top_terms must be an integer that is at least 2"),
            (["--passes", "0"], "passes must be an integer that is at least 1"),
            (["--topic-engine", "gensin"], "Did you mean 'gensim'?"),
            (["--coherence", "npmi"], "Did you mean 'c_npmi'?"),
            (["--seed", "-1"], "seed must be"),
            (["--seed", "4294967296"], "--seed: seed must be at most 4294967295"),
            (["--min-df", "5", "--max-df", "2"], "--max-df must not be below --min-df"),
            (
                ["--topic-engine", "tomotopy", "--topics", "32768"],
                "--topics: must be at most 32767 with --topic-engine tomotopy. Got 32768.",
            ),
            (["--max-df", "x"], "max_df must be a number of documents"),
            (["--output", "a.npz"], "'a.npz' must end in one of .tsv"),
        ],
    )
    def test_usage(self, run, text, arguments, told) -> None:
        assert told in self.told(run, text, *arguments, code=2)

    def test_bounds_are_those_of_the_engine(self) -> None:
        assert _MOST_TOPICS == {"tomotopy": tomotopy_engine._MAX_TOPICS}

    def test_an_engine_that_is_not_installed(self, run, text, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "tomotopy", None)
        told = run("topics", text, *EACH, "--topic-engine", "tomotopy", code=1).stderr
        assert "tokens of" not in told
        assert "pip install 'nlpfeat[topics]'" in told
