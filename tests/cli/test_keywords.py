"""``nlpfeat keywords``: of documents and of labels, with what the library says of them."""

import math
from pathlib import Path

import pytest

from nlpfeat import load_everyday
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.measures.keywords import keyword_table

# Cut already, so that everything can be counted by hand.
TABLE = "text,label,id\n茶 叶 茶,好,b\n茶 杯,坏,a\n,好,c\n水 水 茶,坏,b\n"
CUT = ("--segmenter", "whitespace", "--text-column", "text", "--label-column", "label")
HEADER = ["rank", "term", "count", "expected", "document_frequency", "tfidf", "surprisal", "g2",
          "q_value"]  # fmt: skip


@pytest.fixture
def table(write) -> str:
    return write("t.csv", TABLE)


@pytest.fixture
def rows(run):
    """Run the command without a word; return the header and the rows."""

    def rows_of(*arguments: str, **settings: object) -> list[list[str]]:
        result = run("keywords", *arguments, "--quiet", **settings)
        assert result.stderr == ""
        return [line.split("\t") for line in result.stdout.splitlines()]

    return rows_of


class TestTable:
    def test_documents_by_hand(self, rows, table) -> None:
        header, *got = rows(table, *CUT, "--id-column", "id")
        assert header == ["document", *HEADER]
        # Documents in their order, though two are called alike, and an empty one has no keyword.
        assert [row[:4] for row in got] == [
            ["b", "1", "茶", "2"], ["b", "2", "叶", "1"], ["a", "1", "杯", "1"],
            ["a", "2", "茶", "1"], ["b", "1", "水", "2"], ["b", "2", "茶", "1"],
        ]  # fmt: skip
        first = dict(zip(header, got[0]))
        # 茶 is 4 of 8 tokens, in 3 of 4 documents; here 2 of 3 tokens.
        assert float(first["expected"]) == 1.5
        assert first["document_frequency"] == "3"
        assert float(first["tfidf"]) == pytest.approx(2 * (1 + math.log(5 / 4)))
        # P(K >= 2) of 3 tokens at the rate 1/2 is 1/2: one bit.
        assert float(first["surprisal"]) == pytest.approx(1.0)

    def test_labels_by_hand_with_what_is_missing(self, rows, table) -> None:
        measure = ("--measure", "surprisal", "--side", "both")
        header, *got = rows(table, *CUT, "--by", "label", *measure)
        assert header == ["label", *HEADER]
        assert {row[0] for row in got} == {"好", "坏"}
        missing = next(row for row in got if row[:1] == ["好"] and row[2] == "水")
        # 水 is 2 of 8 tokens and none of the 3 of 好: log2 of (6/8)^3.
        assert missing[3] == "0"
        assert float(missing[7]) == pytest.approx(3 * math.log2(6 / 8))

    @pytest.mark.parametrize("by", ["document", "label"])
    @pytest.mark.parametrize("measure", ["tfidf", "surprisal", "g2"])
    def test_numbers_are_those_of_the_library(self, rows, by, measure) -> None:
        got = rows("dataset:everyday", "--by", by, "--measure", measure, "--min-df", "40")[1:]
        corpus = load_everyday()
        vectorizer = BagOfWordsVectorizer(min_df=40)
        counts = vectorizer.fit_transform(corpus)
        names = vectorizer.get_feature_names_out().tolist()
        groups = corpus.labels() if by == "label" else None
        wanted = list(
            keyword_table(counts, names, groups, measure=measure, side="over").itertuples()
        )
        assert [row[1:] for row in got] == [[str(cell) for cell in row[1:]] for row in wanted]
        ids = [document.id for document in corpus.documents()]
        names = [row[0] if by == "label" else ids[int(row[0])] for row in wanted]
        assert [row[0] for row in got] == names

    def test_sides_and_top(self, rows, table) -> None:
        arguments = (table, *CUT, "--by", "label", "--measure", "g2")
        both, over, under = (rows(*arguments, "--side", side)[1:] for side in
                             ("both", "over", "under"))  # fmt: skip
        assert all(float(row[8]) > 0 for row in over)
        assert all(float(row[8]) < 0 for row in under)
        assert len(both) == len(over) + len(under)
        assert [row[1] for row in rows(*arguments, "--top", "1")[1:]] == ["1", "1"]

    def test_labels_are_sorted_by_g2_and_documents_by_tfidf(self, rows, table) -> None:
        for by, measure in (("label", "g2"), ("document", "tfidf")):
            got = rows(table, *CUT, "--by", by)
            assert got == rows(table, *CUT, "--by", by, "--measure", measure, "--side", "over")

    def test_standard_input_is_read_once(self, rows, table) -> None:
        for by in ("document", "label"):
            from_file = rows(table, *CUT, "--by", by, "--id-column", "id")
            assert rows("-", *CUT, "--by", by, "--id-column", "id", stdin=TABLE) == from_file

    def test_documents_of_a_text_are_called_by_their_lines(self, rows, write) -> None:
        got = rows(write("a.txt", "茶 叶\n水\n"), "--segmenter", "whitespace")[1:]
        assert [row[0] for row in got] == ["a.txt:1", "a.txt:1", "a.txt:2"]

    def test_same_bytes_from_run_to_run_and_on_two_processes(self, start, folder: Path) -> None:
        for jobs in ("1", "2"):
            start("keywords", "dataset:everyday", "--by", "label", "--jobs", jobs,
                  "--output", f"{jobs}.tsv", check=True,
                  variables={"PYTHONHASHSEED": jobs})  # fmt: skip
        assert (folder / "1.tsv").read_bytes() == (folder / "2.tsv").read_bytes()

    def test_metadata(self, run, table, folder) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        run("keywords", table, *CUT, "--by", "label", "--output", "a.parquet")
        metadata = parquet.read_schema(folder / "a.parquet").metadata
        found = {name: metadata[name.encode()] for name in ("by", "measure", "n_tokens")}
        assert found == {"by": b"label", "measure": b"g2", "n_tokens": b"8"}


class TestBadInput:
    def told(self, run, *arguments, code=1, **settings) -> str:
        result = run("keywords", *arguments, "--quiet", code=code, **settings)
        assert result.stdout == ""
        return result.stderr.splitlines()[-1]

    @pytest.mark.parametrize("content", ["", "\n　\n", "，。！\n"])
    def test_no_text(self, run, write, content) -> None:
        told = self.told(run, write("a.txt", content))
        assert "nothing but blanks" in told

    def test_missing_labels(self, run, write) -> None:
        told = self.told(run, write("a.txt", "茶\n"), "--by", "label")
        assert told == (
            "nlpfeat: a.txt:1 has no label. Labels stand in a column of a table; name it with "
            "--label-column."
        )
        path = write("a.jsonl", '{"text": "茶", "label": "好"}\n{"text": "水"}\n')
        assert "a.jsonl:2 has no label" in self.told(run, path, "--by", "label")

    @pytest.mark.parametrize("by", ["document", "label"])
    def test_nothing_to_compare_with(self, run, write, by) -> None:
        path = write("a.csv", "text,label\n茶 叶,好\n")
        arguments = ("keywords", path, *CUT, "--by", by, "--measure", "surprisal")
        result = run(*arguments)
        assert result.stdout.count("\n") == 1
        assert f"No word tells one {by} from another: give several" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--by", "lable"], "Did you mean 'label'?"),
            (["--measure", "tfdif"], "Did you mean 'tfidf'?"),
            (["--side", "ovre"], "Did you mean 'over'?"),
            (["--side", "under"], "side='under' needs a measure of terms that are too rare"),
            (["--top", "0"], "top must be an integer that is at least 1"),
            (["--min-df", "-1"], "min_df must be a number of documents"),
            (["--jobs", "0"], "n_jobs must be positive"),
            (["--output", "a.npz"], "'a.npz' must end in one of .tsv"),
            (["--excel", "--output", "a.jsonl"], "--excel is for .tsv and .csv"),
            (["--label-column", "0"], "the number of a column must be an integer"),
        ],
    )
    def test_usage(self, run, table, arguments, told) -> None:
        assert told in self.told(run, table, *arguments, code=2)

    def test_columns_of_a_dataset(self, run) -> None:
        told = self.told(run, "dataset:everyday", "--label-column", "2", code=2)
        assert "--label-column is an option of files, not of a dataset." in told

    def test_unwritable_output_is_seen_before_the_text_is_read(self, run) -> None:
        told = run("keywords", "dataset:everyday", "--output", "no/a.tsv", code=1).stderr
        assert "the folder 'no' does not exist" in told
        assert "tokens" not in told
