"""Loading files that are not to be trusted, and what is not even saved."""

import io
import json
import pickle
import sys
import zipfile
from functools import partial
from importlib import import_module

import jieba
import numpy as np
import pytest
import skops.io
from estimators import ALL, TOY, fitted, learned_with_priors, loaded, saved
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

from nlpfeat import (
    AttentionClassifier,
    BagOfWordsVectorizer,
    CharSegmenter,
    JiebaSegmenter,
    PmiVectorizer,
    SegmentTransformer,
    TfidfVectorizer,
    WhitespaceSegmenter,
    load,
)
from nlpfeat.attention.normalizers import NORMALIZERS
from nlpfeat.attention.positions import POSITIONS
from nlpfeat.attention.scores import SCORES
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.persistence.trusted_types import OWN_TYPES, TRUSTED
from nlpfeat.text.segmenters import FunctionSegmenter


def rewritten(data, change):
    """Return a file whose schema.json a function has changed; other members stay."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            member = source.read(name)
            if name == "schema.json":
                schema = json.loads(member)
                member = json.dumps(change(schema) or schema)
            target.writestr(name, member)
    return buffer.getvalue()


def types_of(estimator):
    """Return the types that skops does not trust by itself."""
    return set(skops.io.get_untrusted_types(data=saved(estimator)))


class OwnSegmenter:
    """A class of a user's own module."""

    def segment(self, text):
        return text.split("/")


class HoldsFunction:
    def __init__(self):
        self.cut = lambda text: text.split()

    def segment(self, text):
        return self.cut(text)


def own_function(text):
    return text.split("/")


def test_the_list_of_own_types_is_complete_and_no_longer(tmp_path):
    """What is listed is found in some file, and what is found is listed."""
    words = tmp_path / "words.txt"
    words.write_text("天气预报 3 n\n", "utf-8")
    found = set().union(*(types_of(fitted(make)) for make in ALL.values()))
    variants = [
        AttentionClassifier(**{slot: kind()})
        for slot, family in (
            ("attention_score", SCORES),
            ("position", POSITIONS),
            ("normalizer", NORMALIZERS),
        )
        for kind in family.values()
    ]
    found = found.union(*map(types_of, variants), *map(types_of, learned_with_priors().values()))
    for segmenter in (JiebaSegmenter(user_dict=str(words)), CharSegmenter(), WhitespaceSegmenter()):
        found |= types_of(SegmentTransformer(segmenter=segmenter))
    own = {name for name in found if name.startswith("nlpfeat.")}
    assert own == set(OWN_TYPES)
    assert found - own == {"scipy.sparse._csr.csr_array"}


def test_what_is_trusted_can_be_trusted():
    assert len(set(TRUSTED)) == len(TRUSTED)
    for name in TRUSTED:
        home, _, kind = name.rpartition(".")
        if home.startswith("pathlib"):
            continue
        value = getattr(import_module(home), kind)
        assert isinstance(value, type) or home.startswith("sklearn."), name
    assert not any(name.startswith(("os.", "subprocess.", "posix.")) for name in TRUSTED)


FUNCTIONS = [
    (BagOfWordsVectorizer(segmenter=lambda text: [text]), r"segmenter is the function .*<lambda>"),
    (BagOfWordsVectorizer(segmenter=own_function), r"segmenter is the function .*own_function"),
    (BagOfWordsVectorizer(segmenter=jieba.lcut), "segmenter is the function jieba.*lcut"),
    (BagOfWordsVectorizer(segmenter=str.split), "segmenter is the function str.split"),
    (BagOfWordsVectorizer(segmenter=partial(own_function)), "segmenter is the function functools"),
    (BagOfWordsVectorizer(segmenter=OwnSegmenter().segment), "segmenter is the function .*segment"),
    (BagOfWordsVectorizer(segmenter=FunctionSegmenter(own_function)), "segmenter.function is the"),
    (BagOfWordsVectorizer(segmenter=HoldsFunction()), "segmenter.cut is the function"),
    (PmiVectorizer(weighting=lambda distance: 1), "weighting is the function"),
    (make_pipeline(TfidfVectorizer(BagOfWordsVectorizer(segmenter=own_function))),
     "Cannot save this Pipeline: tfidfvectorizer__vectorizer__segmenter is the function"),
    (make_pipeline(FunctionTransformer(kw_args={"f": len})),
     r"steps\[0\]\[1\].kw_args\['f'\] is the function builtins.len"),
    (CountVectorizer(analyzer=own_function), "analyzer is the function"),
]  # fmt: skip


@pytest.mark.parametrize(("estimator", "message"), FUNCTIONS, ids=[text for _, text in FUNCTIONS])
def test_functions_are_refused_when_they_are_saved(estimator, message):
    with pytest.raises(InvalidParameterError, match=f"{message}.*does not hold code"):
        saved(estimator)


def test_what_would_not_come_back_is_not_saved():
    class Local(OwnSegmenter):
        pass

    for estimator, message in (
        (BagOfWordsVectorizer(segmenter=Local()), "class of segmenter is .*Local.*top level"),
        (BagOfWordsVectorizer(vocabulary=iter(["好"])), "no file can hold|cannot be found"),
        (BagOfWordsVectorizer(vocabulary=(term for term in "好")), "no file can hold.*lists"),
        (
            LinearSVC(class_weight={True: 2}),
            "class_weight is a dict with a key of the type builtins.bool",
        ),
        ("BagOfWordsVectorizer", "save needs an estimator.*Got 'BagOf"),
        (BagOfWordsVectorizer, "save needs an estimator"),
    ):
        with pytest.raises(InvalidParameterError, match=message):
            saved(estimator)


def test_own_classes_load_when_they_are_trusted():
    estimator = SegmentTransformer(segmenter=OwnSegmenter())
    name = f"{__name__}.OwnSegmenter"
    with pytest.warns(UserWarning, match=rf"load takes only .*trusted=\['{name}'\]"):
        data = saved(estimator)
    with pytest.raises(InvalidInputError, match=rf"it holds {name}, which.*trusted=\['{name}'\]"):
        loaded(data)
    assert loaded(data, trusted=[name]).transform(["天/气"]) == [["天", "气"]]
    for trusted in (name, True, None):
        with pytest.raises(InvalidParameterError, match="trusted must be a list of names"):
            loaded(data, trusted=trusted)


def replaced(schema, module_name, class_name, loader=None):
    """Put another class in the place of the vectorizer's segmenter."""
    node = schema["content"]["content"]["segmenter"]
    node.update(__module__=module_name, __class__=class_name)
    if loader:
        node.update(__loader__=loader)


@pytest.mark.parametrize(
    ("home", "kind", "loader"),
    [
        ("os", "system", "FunctionNode"),
        ("os", "system", "TypeNode"),
        ("builtins", "eval", "TypeNode"),
        ("subprocess", "Popen", "ObjectNode"),
        ("nlpfeat.text.segmenters.base", "FunctionSegmenter", "ObjectNode"),
        ("nlpfeat.text.corpus", "Corpus", "ObjectNode"),
        ("test_persistence_not_there", "Evil", "ObjectNode"),
    ],
)
def test_crafted_files_are_refused_by_name(home, kind, loader):
    data = saved(BagOfWordsVectorizer(segmenter=CharSegmenter()))
    crafted = rewritten(data, lambda schema: replaced(schema, home, kind, loader))
    with pytest.raises(InvalidInputError, match=rf"it holds {home}.{kind}, which is not trusted"):
        loaded(crafted)


def test_crafted_calls_are_refused():
    data = saved(BagOfWordsVectorizer(stop_words=frozenset("的")))

    def call_system(schema):
        node = schema["content"]["content"]["stop_words"]
        node.update(__module__="posix", __class__="system")

    with pytest.raises(InvalidInputError, match=r"it holds posix.system"):
        loaded(rewritten(data, call_system))


def test_nothing_is_imported_before_a_file_is_refused(tmp_path, monkeypatch):
    (tmp_path / "evil_module.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    data = saved(BagOfWordsVectorizer(segmenter=CharSegmenter()))
    crafted = rewritten(data, lambda schema: replaced(schema, "evil_module", "Evil"))
    with pytest.raises(InvalidInputError, match=r"evil_module.Evil"):
        loaded(crafted)
    assert "evil_module" not in sys.modules


class Exploit:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was run",))


def test_pickles_are_never_run(tmp_path):
    path = tmp_path / "estimator.pkl"
    path.write_bytes(pickle.dumps(Exploit()))
    with pytest.raises(InvalidInputError, match=r"nlpfeat.save did not write it, or it is damaged"):
        load(path)
    stream = io.BytesIO()
    np.save(stream, np.array([Exploit()], dtype=object), allow_pickle=True)
    data = saved(BagOfWordsVectorizer().fit(TOY))
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            target.writestr(name, stream.getvalue() if name.endswith(".npy") else source.read(name))
    with pytest.raises(InvalidInputError, match=r"damaged.*allow_pickle=False"):
        load(buffer)


@pytest.mark.parametrize(
    "change",
    [
        lambda schema: schema.update(content={"content": 1}),
        lambda schema: schema.update(__loader__="NoSuchNode"),
        lambda schema: schema.update(protocol=99),
        lambda schema: [1],
        lambda schema: {"a": 1},
    ],
)
def test_schemas_that_cannot_be(change):
    data = rewritten(saved(BagOfWordsVectorizer().fit(TOY)), change)
    with pytest.raises(InvalidInputError, match="cannot load 'stream': it is damaged, or"):
        loaded(data)


def test_a_missing_parameter_has_its_default():
    """Files of an older nlpfeat lack the parameters that came later."""

    def without_segmenter(schema):
        del schema["content"]["content"]["segmenter"]

    vectorizer = BagOfWordsVectorizer().fit(TOY)
    copy = loaded(rewritten(saved(vectorizer), without_segmenter))
    assert copy.get_params() == vectorizer.get_params()
    emptied = loaded(rewritten(saved(vectorizer), lambda schema: schema.update(content=None)))
    assert repr(emptied) == "BagOfWordsVectorizer()"
    with pytest.raises(NotFittedError):
        emptied.transform(TOY)
