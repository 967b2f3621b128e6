import pickle
import tracemalloc

import joblib
import numpy as np
import pytest
from lda_oracle import planted
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from nlpfeat import BagOfWordsVectorizer, count_cooccurrences
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.measures.coherence import topic_coherence
from nlpfeat.topics import ENGINES

COUNTS, TOPIC_OF = planted()
NAMES = [*"酒店房间早", *"电影演员戏", *"手机屏幕键"]

each_engine = pytest.mark.parametrize("engine", list(ENGINES))


def fitted(**changes):
    return LdaTransformer(3, random_state=0, **changes).fit(COUNTS)


@parametrize_with_checks([LdaTransformer(n_topics=3, passes=2)])
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@each_engine
def test_rows_sum_to_one_and_documents_keep_their_topics(engine):
    shares = fitted(engine=engine).transform(COUNTS)
    assert (shares.shape, shares.dtype) == ((200, 3), np.float64)
    assert np.abs(shares.sum(axis=1) - 1).max() < 1e-12
    assert shares.min() > 0
    assert len(set(zip(TOPIC_OF.tolist(), shares.argmax(axis=1).tolist()))) == 3
    assert shares.max(axis=1).min() > 0.95


@each_engine
def test_an_empty_document_has_the_prior(engine):
    prior = np.array([0.1, 0.4, 0.5])
    lda = fitted(engine=engine, document_prior=prior)
    empty = lda.transform(csr_array((2, 15), dtype=np.int64))
    np.testing.assert_allclose(empty, [prior / prior.sum()] * 2, rtol=1e-12)


@each_engine
def test_a_document_is_the_same_alone_and_in_any_batch(engine):
    lda = fitted(engine=engine)
    together = lda.transform(COUNTS)
    assert lda.transform(COUNTS[::-1]).tobytes() == together[::-1].tobytes()
    for row in (0, 7, 199):
        assert lda.transform(COUNTS[[row]]).tobytes() == together[[row]].tobytes()
    assert lda.fit_transform(COUNTS).tobytes() == together.tobytes()


@each_engine
def test_attributes(engine):
    lda = fitted(engine=engine)
    assert lda.components_.shape == (3, 15)
    np.testing.assert_allclose(lda.components_.sum(axis=1), 1.0, rtol=1e-12)
    assert lda.topic_weights_.sum() == pytest.approx(COUNTS.sum() + 0.01 * 3 * 15)
    assert lda.document_prior_.tolist() == pytest.approx([0.1] * 3)
    assert lda.get_feature_names_out().tolist() == ["lda0", "lda1", "lda2"]
    assert set(vars(lda)) - set(lda.get_params()) == {
        "components_", "topic_weights_", "document_prior_", "n_features_in_",
    }  # fmt: skip


@pytest.mark.parametrize("kind", [csr_matrix, np.asarray, list])
def test_kinds_of_matrices(kind):
    dense = COUNTS.toarray()
    table = dense.tolist() if kind is list else kind(dense)
    lda = LdaTransformer(3, random_state=0).fit(table)
    assert lda.transform(table).tobytes() == fitted().transform(COUNTS).tobytes()


def test_the_matrix_is_not_changed():
    unsorted = csr_matrix(([1.0, 2.0, 0.0], [2, 0, 1], [0, 3]), shape=(1, 3))
    before = [array.copy() for array in (unsorted.data, unsorted.indices, unsorted.indptr)]
    LdaTransformer(2, random_state=0).fit(unsorted).transform(unsorted)
    for old, new in zip(before, (unsorted.data, unsorted.indices, unsorted.indptr)):
        assert np.array_equal(old, new)


@each_engine
def test_same_seed_same_bytes(engine):
    first, again = fitted(engine=engine, passes=1), fitted(engine=engine, passes=1)
    assert first.components_.tobytes() == again.components_.tobytes()
    by_state = clone(first).set_params(random_state=np.random.RandomState(0)).fit(COUNTS)
    assert first.components_.tobytes() == by_state.components_.tobytes()
    other = clone(first).set_params(random_state=1).fit(COUNTS)
    assert first.components_.tobytes() != other.components_.tobytes()


def test_jobs_change_nothing():
    one, two = fitted(), fitted(n_jobs=2)
    assert one.components_.tobytes() == two.components_.tobytes()
    assert one.transform(COUNTS).tobytes() == two.transform(COUNTS).tobytes()
    assert one.perplexity(COUNTS) == two.perplexity(COUNTS)


@each_engine
def test_pickles_are_small_and_hold_plain_arrays(engine, tmp_path):
    lda = fitted(engine=engine)
    data = pickle.dumps(lda)
    assert len(data) < 2000
    assert b"gensim" not in data.replace(b"\x06gensim", b"")  # the parameter's value alone
    joblib.dump(lda, tmp_path / "lda")
    for copy in (pickle.loads(data), joblib.load(tmp_path / "lda")):
        assert copy.transform(COUNTS).tobytes() == lda.transform(COUNTS).tobytes()


def test_data_frames_in_and_out():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(COUNTS.toarray(), columns=NAMES)
    lda = LdaTransformer(3, random_state=0).set_output(transform="pandas")
    shares = lda.fit_transform(frame)
    assert shares.columns.tolist() == ["lda0", "lda1", "lda2"]
    assert {len(term) for topic in lda.top_terms() for term, _ in topic} == {1}


def test_grid_search_in_a_pipeline():
    pipeline = make_pipeline(LdaTransformer(random_state=0, passes=5), LogisticRegression())
    grid = {"ldatransformer__n_topics": [1, 3], "ldatransformer__document_prior": [0.1, 0.5]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(COUNTS, TOPIC_OF)
    assert search.best_params_["ldatransformer__n_topics"] == 3
    assert search.best_score_ > 0.95


class TestTopTerms:
    def test_by_hand(self):
        lda = LdaTransformer(1, term_prior=1.0).fit([[3, 0, 1, 1]])
        # (3 + 1) / 9, (0 + 1) / 9, (1 + 1) / 9 twice: 书 before 房
        topic = lda.top_terms(["酒", "店", "房", "书"], n_terms=3)[0]
        assert [term for term, _ in topic] == ["酒", "书", "房"]
        assert [weight for _, weight in topic] == pytest.approx([4 / 9, 2 / 9, 2 / 9])
        assert all(type(weight) is float for _, weight in topic)

    def test_more_than_there_are(self):
        assert [len(topic) for topic in fitted().top_terms(n_terms=99)] == [15] * 3

    def test_without_names(self):
        terms = {term for topic in fitted().top_terms(n_terms=5) for term, _ in topic}
        assert terms == {f"x{column}" for column in range(15)}

    @pytest.mark.parametrize(
        ("names", "got"), [(["酒"], "Got 1"), ("酒店", "Got '酒店'"), ([], "Got 0")]
    )
    def test_other_names(self, names, got):
        with pytest.raises(InvalidParameterError, match=f"feature_names must be the 15 .*{got}"):
            fitted().top_terms(names)

    def test_no_terms(self):
        with pytest.raises(InvalidParameterError, match=r"n_terms must be an .* at least 1"):
            fitted().top_terms(n_terms=0)


class TestCoherence:
    def documents(self):
        return [[NAMES[term] for term in np.repeat(np.arange(15), row)] for row in COUNTS.toarray()]

    @pytest.mark.parametrize("measure", ["c_npmi", "u_mass"])
    def test_is_that_of_the_top_terms(self, measure):
        lda = fitted()
        found = lda.coherence(self.documents(), measure, feature_names=NAMES, n_terms=4, window=20)
        topics = [[term for term, _ in topic] for topic in lda.top_terms(NAMES, 4)]
        how = {"window": "all"} if measure == "u_mass" else {"window": 20, "counting": "windows"}
        counts = count_cooccurrences(self.documents(), **how)
        expected = topic_coherence(topics, counts, measure)
        assert found.tolist() == expected.tolist()
        assert found.shape == (3,)

    def test_planted_topics_are_coherent(self):
        found = fitted().coherence(self.documents(), feature_names=NAMES, n_terms=5, window=20)
        mixed = LdaTransformer(3, random_state=0).fit(COUNTS[:, np.arange(15) * 7 % 15])
        other = mixed.coherence(self.documents(), feature_names=NAMES, n_terms=5, window=20)
        assert found.min() > 0.3
        assert other.max() < 0

    def test_without_names(self):
        with pytest.raises(InvalidParameterError, match="feature_names must say which words"):
            fitted().coherence(self.documents())

    def test_spellings_are_those_of_the_vectorizer(self):
        texts = ["GDP gdp 增长", "GDP 增长 ＧＤＰ", "gdp 下降"] * 4
        how = {"segmenter": "whitespace", "lowercase": False}
        vectorizer = BagOfWordsVectorizer(**how)
        lda = LdaTransformer(1, random_state=0).fit(vectorizer.fit_transform(texts))
        names = vectorizer.get_feature_names_out()
        assert lda.coherence(texts, feature_names=names, **how).shape == (1,)
        folded = lda.coherence(texts, feature_names=["GDP", "ＧＤＰ", "x", "y"], fold_width=False,
                               n_terms=2, **how)  # fmt: skip
        assert folded.shape == (1,)
        message = "Got 'GDP' and 'gdp' in topic 0: give lowercase=False"
        with pytest.raises(InvalidParameterError, match=message):
            lda.coherence(texts, feature_names=names, segmenter="whitespace")

    def test_punctuation_can_be_a_term(self):
        texts = [["好", "！", "很"], ["好", "！"], ["坏", "？"]]
        vectorizer = BagOfWordsVectorizer(keep_punctuation=True)
        lda = LdaTransformer(1).fit(vectorizer.fit_transform(texts))
        names = vectorizer.get_feature_names_out()
        # 好 and ！ are the two most frequent terms, always together.
        assert lda.coherence(texts, feature_names=names, n_terms=2).tolist() == [1.0]

    def test_measure(self):
        with pytest.raises(InvalidParameterError, match="Did you mean 'c_npmi'"):
            fitted().coherence(self.documents(), "npmi", feature_names=NAMES)

    def test_one_term(self):
        with pytest.raises(InvalidParameterError, match=r"n_terms must be an .* at least 2"):
            fitted().coherence(self.documents(), feature_names=NAMES, n_terms=1)


class TestPerplexity:
    def test_one_topic_by_hand(self):
        lda = LdaTransformer(1, term_prior=1.0).fit([[3, 0, 1]])
        # probabilities 4/7, 1/7, 2/7; tokens once each
        expected = (4 / 7 * 1 / 7 * 2 / 7) ** (-1 / 3)
        assert lda.perplexity([[1, 1, 1]]) == pytest.approx(expected, rel=1e-12)

    @each_engine
    def test_the_right_number_of_topics_is_best(self, engine):
        held_out, _ = planted(seed=1)
        of = {
            n: LdaTransformer(n, engine=engine, random_state=0).fit(COUNTS).perplexity(held_out)
            for n in (1, 3)
        }
        # About 5 terms are as likely in the right topic, and 15 without topics.
        assert 4.9 < of[3] < 6.0
        assert 14 < of[1] < 15.5

    def test_no_token(self):
        with pytest.raises(InvalidInputError, match="perplexity is per token, and X holds none"):
            fitted().perplexity(csr_array((3, 15), dtype=np.int64))


class TestBadInput:
    @pytest.mark.parametrize(
        ("name", "value", "message"),
        [
            ("n_topics", 0, "n_topics must be an integer that is at least 1. Got 0"),
            ("n_topics", 2.5, "n_topics must be an integer that is at least 1. Got 2.5"),
            ("n_topics", True, "n_topics must be an integer that is at least 1. Got True"),
            ("engine", "gensin", "engine must be one of 'gensim', 'tomotopy'.*Did you mean 'gensi"),
            ("engine", None, "engine must be one of 'gensim', 'tomotopy'. Got None"),
            ("passes", 0, "passes must be an integer that is at least 1"),
            ("chunk_size", 0, "chunk_size must be an integer that is at least 1"),
            (
                "document_prior",
                0,
                "document_prior must be a finite number above 1e-12 and at most 1e.06. Got 0",
            ),
            ("document_prior", "atuo", "document_prior .* must be one of 'auto'.*Did you mean"),
            ("document_prior", [0.1, 0.1], "document_prior must be 'auto', .* each of the 3 topic"),
            (
                "document_prior",
                [0.1, 0, 1],
                "document_prior must be 'auto', a number above 1e-12 and at",
            ),
            ("document_prior", [0.1, np.nan, 1], "document_prior must be 'auto'"),
            ("document_prior", {"a": 1}, "document_prior must be 'auto'"),
            ("document_prior", None, "document_prior must be 'auto'"),
            ("term_prior", -1.0, "term_prior must be a finite number above 1e-12 and .*Got -1.0"),
            ("term_prior", 1e300, "term_prior must be a finite number above 1e-12 and at most 1e"),
            ("document_prior", 1e-46, "document_prior must be a finite number above 1e-12"),
            ("decay", 0.5, "decay must be a finite number above 0.5 and at most 1"),
            ("decay", 1.5, "decay must be a finite number above 0.5 and at most 1"),
            ("offset", 0, "offset must be a finite number above 0"),
            ("random_state", "x", "random_state must be an integer, a numpy RandomState or None"),
            ("n_jobs", 0, "n_jobs must be positive"),
        ],
    )
    def test_parameters(self, name, value, message):
        with pytest.raises(InvalidParameterError, match=message):
            LdaTransformer(3).set_params(**{name: value}).fit(COUNTS)

    @pytest.mark.parametrize(
        ("counts", "message"),
        [
            ([[1, -1]], "Negative values"),
            ([[1, np.nan]], "NaN"),
            ([[1, np.inf]], "infinity"),
            (np.zeros((0, 3)), "0 sample"),
            (np.zeros((3, 0)), "0 feature"),
            ([1, 2], "2D array"),
            ([[0, 0], [0, 0]], "all 2 documents of X are empty"),
        ],
    )
    def test_counts(self, counts, message):
        with pytest.raises(InvalidInputError, match=message):
            LdaTransformer(3).fit(counts)

    def test_fractional_counts_with_tomotopy(self):
        with pytest.raises(InvalidInputError, match="whole counts with engine='tomotopy'"):
            LdaTransformer(2, engine="tomotopy").fit([[0.5, 1]])

    def test_other_terms(self):
        with pytest.raises(InvalidInputError, match="expecting 15 features"):
            fitted().transform([[1, 2]])


class TestStoredState:
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"components_": np.full((3, 4), 0.25)}, "column for each of the 15 terms.* Got 4"),
            ({"components_": np.full((2, 15), 0.1)}, r"Got .*float64 of shape \(2, 15\)"),
            ({"components_": np.ones((3, 15), np.float32)}, "Got .*float32 of shape"),
            ({"components_": np.ones(15)}, r"Got .*float64 of shape \(15,\)"),
            ({"document_prior_": np.ones(9)}, r"Got float64 of shape \(9,\)"),
            ({"topic_weights_": np.ones((3, 1))}, r"float64 of shape \(3, 1\)"),
            ({"components_": np.full((3, 15), np.nan)}, "must be finite and above 0"),
            ({"document_prior_": np.array([0.1, 0.0, 0.1])}, "must be finite and above 0"),
            ({"topic_weights_": np.array([1.0, np.inf, 1.0])}, "must be finite and above 0"),
        ],
    )
    def test_that_does_not_fit_is_refused(self, changes, message):
        state = {**fitted().__getstate__(), **changes}
        with pytest.raises(InvalidInputError, match=message):
            LdaTransformer().__setstate__(state)

    def test_that_was_changed_by_hand(self):
        lda = fitted()
        lda.components_ = lda.components_[:, :4]
        for method in (lda.transform, lda.perplexity):
            with pytest.raises(InvalidInputError, match="column for each of the 15 terms"):
                method(COUNTS)

    def test_not_fitted(self):
        assert pickle.loads(pickle.dumps(LdaTransformer(4))).n_topics == 4


def test_one_document_takes_no_more_than_its_terms():
    """The topics of all terms are not worked out for a document of three."""
    lda = fitted()
    n_terms = 100_000
    lda.components_ = np.full((50, n_terms), 1 / n_terms)
    lda.topic_weights_, lda.document_prior_ = np.full((2, 50), 0.5)
    lda.n_features_in_ = n_terms
    counts = csr_array(([1, 1, 1], ([0, 0, 0], [3, 70_000, 99_999])), (1, n_terms))
    lda.transform(counts)
    tracemalloc.start()
    lda.transform(counts)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < lda.components_.nbytes / 10


@each_engine
@pytest.mark.parametrize("counts", [[[4]], [[1, 2, 0]], [[0], [3]]])
def test_few_documents_and_terms(engine, counts):
    shares = LdaTransformer(5, engine=engine, random_state=0).fit_transform(counts)
    assert np.abs(shares.sum(axis=1) - 1).max() < 1e-12
