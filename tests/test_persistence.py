"""Saving and loading: everything comes back."""

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import skops.io
from estimators import (
    ALL,
    DOCUMENTS,
    LABELS,
    TOY,
    content,
    data_for,
    fit_anew,
    fitted,
    loaded,
    output_of,
    over,
    saved,
)
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

import nlpfeat
from nlpfeat import (
    BagOfWordsVectorizer,
    CharSegmenter,
    JiebaSegmenter,
    NBSVMClassifier,
    NgramVectorizer,
    PmiVectorizer,
    SegmentTransformer,
    TfidfVectorizer,
    Vocabulary,
    WhitespaceSegmenter,
    load,
    save,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError, OutputError
from nlpfeat.persistence import manifest


@over(ALL)
def test_every_estimator_comes_back(make, tmp_path):
    estimator = fitted(make)
    save(estimator, tmp_path / "estimator.skops")
    copy = load(tmp_path / "estimator.skops")
    data, labels = data_for(estimator)
    assert repr(copy) == repr(estimator)
    assert vars(copy).keys() == vars(estimator).keys()
    assert content(output_of(copy, data)) == content(output_of(estimator, data))
    if hasattr(estimator, "get_feature_names_out"):
        assert copy.get_feature_names_out().tolist() == estimator.get_feature_names_out().tolist()
    refitted = loaded(saved(make())).fit(data, labels)
    assert content(output_of(refitted, data)) == content(output_of(estimator, data))


@over(ALL)
def test_same_estimator_same_bytes(make):
    data = saved(fitted(make))
    assert saved(fit_anew(make)) == data
    assert saved(loaded(data)) == data


@pytest.mark.slow
def test_same_bytes_in_another_process():
    code = (
        "import sys; from nlpfeat import BagOfWordsVectorizer, save\n"
        "save(BagOfWordsVectorizer(stop_words=set('的了很我你他'), segmenter='char')"
        ".fit(['天气很好']), sys.stdout.buffer)"
    )
    data = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": "5"},
    ).stdout  # fmt: skip
    here = BagOfWordsVectorizer(stop_words=set("他你我很了的"), segmenter="char")
    assert saved(here.fit(["天气很好"])) == data


PARAMETERS = [
    {"stop_words": {"的", "了"}},
    {"stop_words": frozenset({"的", "了"})},
    {"stop_words": ("的", "了")},
    {"stop_words": Path("停用词.txt")},
    {"stop_words": "停用词.txt"},
    {"dtype": np.int64},
    {"dtype": np.float32},
    {"dtype": np.dtype("int32")},
    {"dtype": "float64"},
    {"dtype": float},
    {"vocabulary": ["天气", "好"]},
    {"vocabulary": {"天气": 0, "好": 1}},
    {"vocabulary": {"好": np.int64(1), "天气": np.int64(0)}},
    {"vocabulary": {"天气", "好"}},
    {"vocabulary": np.array(["天气", "好"])},
    {"vocabulary": np.array(["天气", "好"], dtype=object)},
    {"min_df": 0.1, "max_df": 3, "max_features": np.int64(5), "n_jobs": 2},
    {"vocabulary": ["\ud800", "a\0b"]},
]


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_every_kind_of_parameter_comes_back(parameters):
    copy = loaded(saved(BagOfWordsVectorizer(**parameters)))
    for name, value in parameters.items():
        found = getattr(copy, name)
        assert type(found) is type(value)
        assert np.array_equal(found, value) if isinstance(value, np.ndarray) else found == value


def test_vocabularies_and_segmenters_come_back(tmp_path):
    (tmp_path / "words.txt").write_text("很好 5\n天气预报 3 n\n", "utf-8")
    segmenter = JiebaSegmenter(user_dict=tmp_path / "words.txt", user_words=["公园里"], hmm=False)
    data = saved(BagOfWordsVectorizer(segmenter=segmenter, vocabulary=Vocabulary.build([["很好"]])))
    (tmp_path / "words.txt").unlink()
    copy = loaded(data)
    assert copy.segmenter.identity == segmenter.identity
    wanted = segmenter.segment("天气预报很好公园里")
    assert {"天气预报", "公园里"} < set(wanted)
    assert copy.segmenter.segment("天气预报很好公园里") == wanted
    assert copy.vocabulary == Vocabulary.build([["很好"]])
    for simple in (CharSegmenter(), WhitespaceSegmenter()):
        assert repr(loaded(saved(SegmentTransformer(segmenter=simple))).segmenter) == repr(simple)


COUNTS = make_union(BagOfWordsVectorizer(), NgramVectorizer(unit="char", ngram_range=(1, 2)))
WEIGHTED = make_pipeline(TfidfVectorizer(), LogisticRegression())
PIPELINES = {
    "union": make_pipeline(SegmentTransformer(), COUNTS, LinearSVC(random_state=0)),
    "nbsvm": make_pipeline(COUNTS, NBSVMClassifier(random_state=0)),
    "selection": make_pipeline(
        TfidfVectorizer(), SelectKBest(chi2, k=5), LinearSVC(random_state=0)
    ),
    "dense": make_pipeline(
        PmiVectorizer(3, random_state=np.random.RandomState(0)), LogisticRegression()
    ),
    "ufunc": make_pipeline(
        BagOfWordsVectorizer(), FunctionTransformer(np.log1p), LinearSVC(random_state=0)
    ),
    "calibration": make_pipeline(
        TfidfVectorizer(), CalibratedClassifierCV(LinearSVC(random_state=0), cv=2)
    ),
    "search": GridSearchCV(WEIGHTED, {"tfidfvectorizer__norm": ["l1", "l2"]}, cv=2),
    "search by score": GridSearchCV(
        WEIGHTED, {"logisticregression__C": [0.1, 1.0]}, cv=2, scoring="f1_macro"
    ),
}


@pytest.mark.parametrize("pipeline", PIPELINES.values(), ids=PIPELINES.keys())
def test_pipelines_predict_the_same(pipeline):
    pipeline.fit(DOCUMENTS, LABELS)
    copy = loaded(saved(pipeline))
    texts = [*DOCUMENTS, "天气很好", "全新"]
    assert copy.predict(texts).tolist() == pipeline.predict(texts).tolist()
    for method in ("decision_function", "predict_proba"):
        if hasattr(pipeline, method):
            found, wanted = (getattr(each, method)(texts) for each in (copy, pipeline))
            assert found.tobytes() == wanted.tobytes()


def test_a_path_or_a_stream(tmp_path):
    vectorizer = BagOfWordsVectorizer().fit(TOY)
    path = tmp_path / "词袋.skops"
    save(vectorizer, path)
    save(vectorizer, str(path))
    assert [each.name for each in tmp_path.iterdir()] == ["词袋.skops"]
    with open(path, "rb") as stream:
        assert load(stream).vocabulary_ == load(str(path)).vocabulary_ == vectorizer.vocabulary_
    assert path.read_bytes() == saved(vectorizer)


def test_a_failed_save_leaves_the_older_file(tmp_path):
    path = tmp_path / "estimator.skops"
    save(BagOfWordsVectorizer(), path)
    with pytest.raises(InvalidParameterError, match="function"):
        save(BagOfWordsVectorizer(segmenter=str.split), path)
    assert isinstance(load(path), BagOfWordsVectorizer)
    with pytest.raises(OutputError, match=r"the folder .* does not exist"):
        save(BagOfWordsVectorizer(), tmp_path / "none" / "estimator.skops")
    with pytest.raises(OutputError, match="it is a folder"):
        save(BagOfWordsVectorizer(), tmp_path)


def test_foreign_files(tmp_path):
    path = tmp_path / "file"
    skops.io.dump(BagOfWordsVectorizer(), path)
    with pytest.raises(
        InvalidInputError, match=r"cannot load '.*file': nlpfeat.save did not write it"
    ):
        load(path)
    np.savez(path.with_suffix(".npz"), a=[1])
    with pytest.raises(InvalidInputError, match=r"nlpfeat.save did not write it, or"):
        load(path.with_suffix(".npz"))
    for text in (b"", b"text", "天气很好".encode() * 1000):
        path.write_bytes(text)
        with pytest.raises(InvalidInputError, match=r"nlpfeat.save did not write it"):
            load(path)


def test_missing_files(tmp_path):
    with pytest.raises(InvalidInputError, match=r"cannot read '.*none.skops': No such file"):
        load(tmp_path / "none.skops")
    with pytest.raises(InvalidInputError, match=r"cannot read .*: Is a directory"):
        load(tmp_path)
    with pytest.raises(InvalidInputError, match=r"cannot read 'a\\x00b'"):
        load("a\0b")
    with pytest.raises(InvalidParameterError, match=r"path must be a path or a binary file. Got 5"):
        load(5)
    with pytest.raises(InvalidParameterError, match=r"path must be a path or a binary file"):
        save(BagOfWordsVectorizer(), 5)
    with pytest.raises(InvalidParameterError, match=r"Open it with mode 'rb'"):
        load(io.StringIO("text"))


def test_damaged_files():
    data = saved(TfidfVectorizer(NgramVectorizer(ngram_range=(1, 2))).fit(DOCUMENTS))
    for end in range(0, len(data), 97):
        with pytest.raises(InvalidInputError, match="cannot load 'stream'"):
            loaded(data[:end])
    for place in range(40, len(data), 151):
        changed = bytearray(data)
        changed[place] ^= 0xFF
        try:
            loaded(bytes(changed))  # a byte of a header that nobody reads
        except InvalidInputError as error:
            assert "cannot load 'stream'" in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("version", "is_newer"),
    [("99.0", True), ("0.1.1", True), ("0.1.0", False), ("0.1.0.dev0", False), ("0.0.9", False)],
)
def test_files_of_a_newer_nlpfeat_are_refused(monkeypatch, version, is_newer):
    monkeypatch.setattr(manifest, "__version__", version)
    data = saved(BagOfWordsVectorizer())
    monkeypatch.setattr(manifest, "__version__", "0.1.0.dev0")
    if is_newer:
        with pytest.raises(
            InvalidInputError, match=rf"saved by nlpfeat {version}, and this is 0.1.0"
        ):
            loaded(data)
    else:
        assert isinstance(loaded(data), BagOfWordsVectorizer)


def test_the_file_is_one_of_skops():
    vectorizer = BagOfWordsVectorizer().fit(TOY)
    data = saved(vectorizer)
    copy = skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))
    assert copy.vocabulary_ == vectorizer.vocabulary_
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        manifest = json.loads(archive.read("nlpfeat.json"))
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert manifest["nlpfeat"] == nlpfeat.__version__


def test_large_vocabularies_are_saved_in_little_time_and_space():
    draw = np.random.default_rng(0)
    terms = np.array(["".join(chr(0x4E00 + int(code)) for code in row)
                      for row in draw.integers(0, 3000, (60_000, 2))])  # fmt: skip
    documents = [terms[row].tolist() for row in draw.integers(0, len(terms), (4_000, 60))]
    vectorizer = NgramVectorizer(ngram_range=(1, 2)).fit(documents)
    n_features = len(vectorizer.get_feature_names_out())
    assert n_features > 250_000
    data = saved(vectorizer)
    # 8 bytes an n-gram for the key, two times 8 for the frequencies, and the terms.
    assert len(data) < 30 * n_features
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.getinfo("schema.json").file_size < 30_000  # no term or number in it
    assert loaded(data).vocabulary_ == vectorizer.vocabulary_
