"""``nlpfeat features``: the matrix of each kind, its names, and each form that it is written in."""

import csv
import io
import json
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file
from sklearn.pipeline import make_pipeline

from nlpfeat.cli.work.feature_kinds import KINDS
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.features.ngrams import NgramVectorizer
from nlpfeat.features.pmi_vectorizer import PmiVectorizer
from nlpfeat.features.positional import PositionalBagOfWordsVectorizer
from nlpfeat.features.surprisal import SurprisalTransformer
from nlpfeat.features.tfidf import TfidfVectorizer
from nlpfeat.io.feature_files import load_features

# Cut already, so that everything can be counted by hand.
TABLE = "id,text,label\na1,茶 叶 茶,好\na2,茶 杯,坏\na3,,好\n"
TEXTS = ["茶 叶 茶", "茶 杯", ""]
CUT = ("--segmenter", "whitespace")
NAMED = (*CUT, "--text-column", "text", "--label-column", "label", "--id-column", "id")
ROWS = [
    ["a1", "好", "叶", "1"], ["a1", "好", "茶", "2"], ["a2", "坏", "杯", "1"],
    ["a2", "坏", "茶", "1"],
]  # fmt: skip
HEADER = ["document", "label", "feature", "value"]
WHITESPACE = {"segmenter": "whitespace"}
ESTIMATORS = {
    "bow": BagOfWordsVectorizer(**WHITESPACE),
    "positional": PositionalBagOfWordsVectorizer(**WHITESPACE),
    "ngram": NgramVectorizer(**WHITESPACE),
    "tfidf": TfidfVectorizer(BagOfWordsVectorizer(**WHITESPACE)),
    "surprisal": make_pipeline(BagOfWordsVectorizer(**WHITESPACE), SurprisalTransformer()),
    "lda": make_pipeline(BagOfWordsVectorizer(**WHITESPACE), LdaTransformer(20, random_state=0)),
    "pmi": PmiVectorizer(3, random_state=0, **WHITESPACE),
}


@pytest.fixture
def table(write) -> str:
    return write("t.csv", TABLE)


@pytest.fixture
def made(run, folder: Path):
    """Write an .npz and read it again."""

    def make(*arguments: str, **settings: object):
        run("features", *arguments, "--output", "x.npz", "--quiet", **settings)
        return load_features(folder / "x.npz")

    return make


class TestMatrix:
    def test_by_hand(self, made, table) -> None:
        got = made(table, *NAMED)
        assert got.feature_names == ["叶", "杯", "茶"]
        assert got.matrix.toarray().tolist() == [[1, 0, 2], [0, 1, 1], [0, 0, 0]]
        assert got.matrix.dtype == np.int64
        assert (got.document_ids, got.labels) == (["a1", "a2", "a3"], ["好", "坏", "好"])
        assert got.metadata["kind"] == "bow"
        assert got.metadata["corpus"] == "t.csv"
        assert got.metadata["n_features"] == "3"

    @pytest.mark.parametrize("kind", KINDS)
    def test_each_kind_is_its_estimator(self, made, table, kind) -> None:
        extra = ("--n-components", "3") if kind == "pmi" else ()
        got = made(table, *NAMED, "--kind", kind, *extra)
        estimator = ESTIMATORS[kind]
        wanted = estimator.fit_transform(TEXTS)
        assert got.feature_names == estimator.get_feature_names_out().tolist()
        if isinstance(wanted, np.ndarray):
            assert np.array_equal(got.matrix, wanted)
        else:
            assert np.array_equal(got.matrix.toarray(), wanted.toarray())
            assert got.matrix.nnz == wanted.nnz

    @pytest.mark.parametrize(
        ("arguments", "names"),
        [
            (["--min-df", "2"], ["茶"]),
            (["--min-df", "0.5"], ["茶"]),
            (["--max-df", "1"], ["叶", "杯"]),
            (["--max-features", "1"], ["茶"]),
            (["--kind", "ngram", "--ngram-range", "2,2"], ["叶 茶", "茶 叶", "茶 杯"]),
            (["--kind", "ngram", "--ngram-unit", "char", "--max-features", "1"], ["茶"]),
            (["--kind", "tfidf", "--ngram-range", "2"], ["叶 茶", "茶 叶", "茶 杯"]),
            (["--kind", "positional", "--positions", "end", "--min-df", "1"],
             ["-1:杯", "-1:茶", "-2:叶", "-2:茶", "-3:茶"]),
            (["--kind", "positional", "--max-position", "1"],
             ["0:茶", "≥1:叶", "≥1:杯", "≥1:茶"]),
            (["--kind", "lda", "--n-topics", "2"], ["lda0", "lda1"]),
            (["--kind", "pmi", "--n-components", "2", "--window", "1"], ["pmi0", "pmi1"]),
        ],
    )  # fmt: skip
    def test_options_reach_the_estimator(self, made, table, arguments, names) -> None:
        assert made(table, *NAMED, *arguments).feature_names == names

    def test_stop_words_and_jieba(self, made, write) -> None:
        got = made(write("a.txt", "今天天气很好，去公园。\n"), "--stop-words", write("s", "去\n"))
        assert got.feature_names == ["今天天气", "公园", "好", "很"]
        assert (got.document_ids, got.labels) == (["a.txt:1"], None)

    def test_standard_input_is_read_once(self, made, table) -> None:
        from_file = made(table, *NAMED)
        from_pipe = made("-", *NAMED, stdin=TABLE)
        assert from_pipe.matrix.toarray().tolist() == from_file.matrix.toarray().tolist()
        assert from_pipe[1:4] == from_file[1:4]

    def test_whole_files(self, made, write) -> None:
        write("texts/1.txt", "茶 叶\n水\n")
        write("texts/2.txt", "杯\n")
        got = made("texts", *CUT, "--unit", "file")
        assert [Path(name).name for name in got.document_ids] == ["1.txt", "2.txt"]
        assert got.matrix.toarray().tolist() == [[1, 0, 1, 1], [0, 1, 0, 0]]

    def test_one_document(self, made, write) -> None:
        assert made(write("a.txt", "茶 叶\n"), *CUT).matrix.toarray().tolist() == [[1, 1]]


class TestFormats:
    def test_tsv_on_standard_output(self, run, table) -> None:
        result = run("features", table, *NAMED)
        rows = [line.split("\t") for line in result.stdout.splitlines()]
        assert rows == [HEADER, *ROWS]
        assert "3 documents, 3 features, 4 numbers that are not 0" in result.stderr

    def test_csv_and_json_lines(self, run, table, folder) -> None:
        run("features", table, *NAMED, "-o", "a.csv", "--excel")
        text = (folder / "a.csv").read_bytes().decode("utf-8-sig")
        assert list(csv.reader(io.StringIO(text))) == [HEADER, *ROWS]
        run("features", table, *NAMED, "-o", "a.jsonl")
        rows = [json.loads(line) for line in (folder / "a.jsonl").read_text("utf-8").splitlines()]
        assert rows[1] == {"document": "a1", "label": "好", "feature": "茶", "value": 2}

    def test_parquet(self, run, table, folder) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        run("features", table, *NAMED, "--kind", "tfidf", "-o", "a.parquet")
        got = parquet.read_table(folder / "a.parquet")
        assert got.column_names == HEADER
        assert got.schema.metadata[b"kind"] == b"tfidf"
        assert got.column("value").type == "double"

    def test_without_labels_there_is_no_such_column(self, run, write) -> None:
        result = run("features", write("a.txt", "茶\n"), *CUT)
        assert result.stdout == "document\tfeature\tvalue\na.txt:1\t茶\t1\n"

    @pytest.mark.parametrize("name", ["a.svm", "a.svmlight"])
    def test_svmlight(self, run, table, folder, name) -> None:
        run("features", table, *NAMED, "--kind", "tfidf", "-o", name)
        matrix, target = load_svmlight_file(str(folder / name), n_features=3, zero_based=False)
        wanted = TfidfVectorizer(BagOfWordsVectorizer(segmenter="whitespace")).fit_transform(TEXTS)
        assert np.allclose(matrix.toarray(), wanted.toarray(), rtol=1e-15)
        # 坏 U+574F comes before 好 U+597D.
        assert target.tolist() == [1, 0, 1]
        text = (folder / name).read_text("utf-8")
        assert "# label 0: 坏\n# label 1: 好\n" in text

    def test_dense_long_form_holds_every_number(self, run, table) -> None:
        result = run("features", table, *NAMED, "--kind", "lda", "--n-topics", "2", "-q")
        rows = [line.split("\t") for line in result.stdout.splitlines()[1:]]
        assert [row[2] for row in rows] == ["lda0", "lda1"] * 3
        shares = np.array([float(row[3]) for row in rows]).reshape(3, 2)
        assert np.allclose(shares.sum(axis=1), 1)

    @pytest.mark.parametrize("ending", ["tsv", "jsonl", "svm"])
    def test_same_bytes_twice(self, run, table, folder, ending) -> None:
        for number in ("1", "2"):
            run("features", table, *NAMED, "--jobs", number, "-o", f"{number}.{ending}")
        assert (folder / f"1.{ending}").read_bytes() == (folder / f"2.{ending}").read_bytes()

    def test_same_bytes_from_run_to_run(self, start, table, folder) -> None:
        for number in ("1", "2"):
            start("features", table, *NAMED, "--jobs", number, "-o", f"{number}.npz",
                  check=True, variables={"PYTHONHASHSEED": number})  # fmt: skip
        assert (folder / "1.npz").read_bytes() == (folder / "2.npz").read_bytes()

    def test_file_name_that_is_no_text(self, run, folder) -> None:
        name = os.fsdecode(b"\xff.txt")
        try:
            (folder / name).write_text("茶\n", encoding="utf-8")
        except OSError:
            pytest.skip("this file system takes no such name")
        run("features", name, *CUT, "-o", "x.npz")
        assert load_features(folder / "x.npz").document_ids == ["\\udcff.txt:1"]


class TestLabels:
    PART = '{"text": "茶 叶", "label": "好"}\n{"text": "茶 杯"}\n'

    def test_of_some_documents_only(self, run, write, folder) -> None:
        result = run("features", write("a.jsonl", self.PART), *CUT, "-o", "x.npz")
        assert "1 of 2 documents have no label, so no labels are written." in result.stderr
        assert load_features(folder / "x.npz").labels is None

    def test_svmlight_needs_them(self, run, write, folder) -> None:
        for name, content, where in (
            ("a.jsonl", self.PART, "a.jsonl:2"),
            ("a.txt", "茶\n", "a.txt:1"),
        ):
            path = write(name, content)
            told = run("features", path, *CUT, "-o", "x.svm", "-q", code=1).stderr
            assert told == (f"nlpfeat: {where} has no label. Labels stand in a column of a table; "
                            "name it with --label-column.\n")  # fmt: skip
        assert not (folder / "x.svm").exists()

    def test_of_a_column_that_is_not_there(self, run, table) -> None:
        told = run("features", table, *CUT, "--label-column", "lable", "-q", code=1).stderr
        assert "label_column must be a column of t.csv" in told
        assert "Did you mean 'label'?" in told


class TestBadInput:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("content", ["", "\n\n", "，。！\n"])
    def test_no_text(self, run, write, kind, content) -> None:
        result = run("features", write("a.txt", content), "--kind", kind, "-q", code=1)
        assert result.stdout == ""
        assert result.stderr.count("\n") == 1
        assert "fault of nlpfeat" not in result.stderr
        assert "nothing but blanks" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--kind", "bwo"], "Did you mean 'bow'?"),
            (["--min-df", "x"], "--min-df: min_df must be a number of documents"),
            (["--max-df", "1.5"], "--max-df: max_df must be a number of documents"),
            (["--max-features", "0"], "max_features must be an integer that is at least 1"),
            (["--kind", "ngram", "--ngram-range", "2,1"], "ngram_range must be two whole numbers"),
            (["--kind", "ngram", "--ngram-unit", "wrod"], "Did you mean 'word'?"),
            (["--kind", "positional", "--positions", "ned"], "Did you mean 'end'?"),
            (
                ["--kind", "positional", "--max-position", "0"],
                "--max-position: max_position must be an integer that is at least 1. Got 0.",
            ),
            (
                ["--kind", "positional", "--positions", "relative", "--max-position", "2"],
                "--max-position does not go with --positions relative, which has 10 places",
            ),
            (["--min-df", "5", "--max-df", "2"], "--max-df must not be below --min-df. Got 2 and"),
            (["--min-df", "0.5", "--max-df", "0.2"], "--max-df must not be below --min-df"),
            (["--kind", "lda", "--seed", "4294967296"], "seed must be at most 4294967295"),
            (["--kind", "pmi", "--seed", "4294967296"], "seed must be at most 4294967295"),
            (["--kind", "lda", "--n-topics", "0"], "n_topics must be an integer"),
            (["--kind", "lda", "--seed", "-1"], "seed must be an integer that is at least 0"),
            (["--kind", "pmi", "--seed", "-1"], "seed must be an integer that is at least 0"),
            (["--kind", "pmi", "--n-components", "0"], "n_components must be an integer"),
            (["--kind", "pmi", "--window", "x"], "window must be a whole number"),
            (["--kind", "pmi", "--scope", "x"], "scope must be one of"),
            (["--ngram-range", "1,2"], "--ngram-range is an option of --kind ngram, tfidf, not of"),
            (["--n-topics", "3"], "--n-topics is an option of --kind lda, not of bow"),
            (["--kind", "lda", "--window", "3"], "--window is an option of --kind pmi, not of lda"),
            (["--kind", "pmi", "--min-df", "2"], "--min-df is an option of --kind bow, "),
            (["--kind", "bow", "--seed", "1"], "--seed is an option of --kind lda, pmi, not of"),
            (["--output", "a.gexf"], "'a.gexf' must end in one of .tsv, .csv, .jsonl, .parquet, "),
            (["--output", "a.npz", "--excel"], "--excel is for .tsv and .csv"),
            (["--id-column", "0"], "the number of a column must be an integer"),
        ],
    )
    def test_usage(self, run, table, arguments, told) -> None:
        result = run("features", table, *CUT, *arguments, code=2)
        assert result.stdout == ""
        assert "read as" not in result.stderr
        assert told in result.stderr.splitlines()[-1]

    def test_nothing_is_frequent_enough(self, run, table) -> None:
        told = run("features", table, *NAMED, "--min-df", "3", "-q", code=1).stderr
        assert "min_df" in told
        assert told.count("\n") == 1

    def test_unwritable_output_is_seen_before_the_text_is_read(self, run) -> None:
        told = run("features", "dataset:everyday", "-o", "no/x.npz", code=1).stderr
        assert "the folder 'no' does not exist" in told
        assert "documents," not in told

    def test_full_disk(self, run, table) -> None:
        told = run("features", table, *NAMED, "-q", "-o", "/dev/full", code=1).stderr
        assert told.startswith("nlpfeat: cannot write '/dev/full': no space left on the disk")


def test_labels_of_a_dataset(made) -> None:
    got = made("dataset:everyday", "--min-df", "20")
    assert got.matrix.shape[0] == len(got.labels or ()) == 845
