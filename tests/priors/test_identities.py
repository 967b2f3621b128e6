"""Each classical feature is a fixed setting of one part of attention: seven identities.

In float64, to 1e-12, against scikit-learn or loops. Where a fitted prior holds float32, what it
holds gives the same to float32's precision.
"""

import numpy as np
import pytest
import torch
from cooccurrence_oracle import pairs
from scipy.sparse import csr_array
from scipy.special import log_softmax, softmax
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from nlpfeat import NgramVectorizer, PositionalBagOfWordsVectorizer
from nlpfeat.attention import AttentionSpec
from nlpfeat.attention.functional import attend
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._network import Network, NetworkSettings
from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.measures.association import pmi
from nlpfeat.measures.idf import idf
from nlpfeat.measures.naive_bayes import log_count_ratio, presence
from nlpfeat.priors import (
    ExpertPrior,
    KeyPrior,
    PmiPrior,
    PriorInputs,
    ReadDocuments,
    WidePrior,
)
from nlpfeat.priors.expert import FittedExpertPrior

EXACT = 1e-12
SINGLE = 1e-5

TEXTS = ["房间很干净早餐很好", "早餐不好房间小", "故事很好看很好", "作者的故事不好看", "房间好小"]
CLASSES = np.array([0, 1, 0, 1, 1])


def read_of(texts=TEXTS):
    return ReadDocuments.read(texts, unit="char")


def one_hot(ids, n_terms):
    return torch.eye(n_terms, dtype=torch.float64)[torch.as_tensor(ids, dtype=torch.int64)]


def attended(values, bias, n_queries=1, mask=None):
    """Attend from queries to keys that are all 0: biases alone decide. values (L, D)."""
    length = len(values)
    output, weights = attend(
        torch.zeros(1, 1, n_queries, 2, dtype=torch.float64),
        torch.zeros(1, 1, length, 2, dtype=torch.float64),
        torch.as_tensor(values, dtype=torch.float64)[None, None],
        mask=mask,
        bias=torch.as_tensor(np.asarray(bias, dtype=np.float64))[None, None],
        return_weights=True,
    )
    return output[0, 0].numpy(), weights[0, 0].numpy()


class TestPmiBiasIsConditionalProbability:
    """I1: q · k = 0, λ = 1, key prior ln p(x_j), B = PMI: A_ij = P(x_j | x_i) on the text."""

    sentence = "房间很好"

    def conditional(self, window, terms):
        """P(y | x) among the terms of the sentence, by loops; no term with itself."""
        oracle = pairs([list(text) for text in TEXTS], window)
        table = np.array([[oracle.n_xy[x, y] / oracle.n_x[x] for y in terms] for x in terms])
        np.fill_diagonal(table, 0.0)
        return table / table.sum(axis=1, keepdims=True), oracle

    def test_exact(self):
        terms = list(self.sentence)
        expected, _ = self.conditional(8, terms)
        counts = count_cooccurrences(TEXTS, "char", window=8)
        ids = counts.vocabulary.encode(terms)
        table = pmi(counts, base=np.e).toarray()[np.ix_(ids, ids)]
        shares = counts.y_margin / counts.total
        seen = counts.matrix.toarray()[np.ix_(ids, ids)] > 0
        mask = torch.as_tensor(seen & ~np.eye(4, dtype=bool))
        _, weights = attended(np.eye(4), table + np.log(shares[ids]), 4, mask)
        np.testing.assert_allclose(weights, expected, atol=EXACT)

    def test_fitted_prior(self):
        """Where PMI is positive; a strength of the prior's scale undoes the scaling."""
        read = read_of(["茶叶茶叶", "雨水雨水", "茶叶雨水"])
        prior = PmiPrior(window=1, smoothing=1.0, clip=None)
        fitted = prior.fit(read, np.zeros(3, dtype=np.int64), 2, seed=0)
        ids = read.vocabulary.encode("茶叶")
        bias = fitted.scale * fitted.pair_values(ids).astype(float)
        assert bias[0, 1] > 0
        oracle = pairs([list(text) for text in read.documents], 1)
        _, weights = attended(
            np.eye(2), bias + np.log([oracle.n_y[y] / oracle.total for y in "茶叶"]), 2,
        )  # fmt: skip
        # A term with itself has B = 0: it counts as independent, p(y) instead of P(y | x).
        joint = oracle.n_xy["茶", "叶"] / oracle.n_x["茶"]
        own = oracle.n_y["茶"] / oracle.total
        np.testing.assert_allclose(weights[0], [own / (own + joint), joint / (own + joint)],
                                   atol=SINGLE)  # fmt: skip


class TestIdfPoolingIsTfidf:
    """I2: scores 0, log-idf prior, one-hot values: H = tf-idf divided by its sum."""

    def test_exact(self):
        read = read_of()
        n_terms = len(read.vocabulary)
        expected = TfidfTransformer(norm="l1").fit_transform(read.counts).toarray()
        weights = idf(read.vocabulary.document_frequencies, read.n_documents)
        for ids, row in zip(read.tokens, expected):
            pooled, _ = attended(one_hot(ids, n_terms), np.log(weights[ids])[None])
            np.testing.assert_allclose(pooled[0], row, atol=EXACT)

    def test_fitted_prior(self):
        read = read_of()
        expected = TfidfTransformer(norm="l1").fit_transform(read.counts).toarray()
        fitted = KeyPrior(weight="idf").fit(read, CLASSES, 2, seed=0)
        tokens = fitted.inputs(read).tokens
        bounds = read.tokens.indptr
        for row, ids in enumerate(read.tokens):
            bias = tokens[bounds[row] : bounds[row + 1]]
            pooled, _ = attended(one_hot(ids, len(read.vocabulary)), bias[None])
            np.testing.assert_allclose(pooled[0], expected[row], atol=SINGLE)

    def test_embeddings_are_averaged_by_tfidf(self):
        read = read_of()
        vectors = np.random.default_rng(0).normal(size=(len(read.vocabulary), 5))
        shares = TfidfTransformer(norm="l1").fit_transform(read.counts)
        weights = idf(read.vocabulary.document_frequencies, read.n_documents)
        for ids, row in zip(read.tokens, (shares @ vectors)):
            pooled, _ = attended(vectors[ids], np.log(weights[ids])[None])
            np.testing.assert_allclose(pooled[0], row, atol=EXACT)

    def test_sif_gives_the_sentence_vectors_of_arora(self):
        """Σ a / (a + p(w)) v_w over the tokens, but for a factor: softmax divides by weights."""
        read = read_of()
        vectors = np.random.default_rng(0).normal(size=(len(read.vocabulary), 5))
        shares = read.vocabulary.term_frequencies / read.vocabulary.term_frequencies.sum()
        sif = 1e-3 / (1e-3 + shares)
        for ids in read.tokens:
            pooled, _ = attended(vectors[ids], np.log(sif[ids])[None])
            arora = np.mean([sif[each] * vectors[each] for each in ids], axis=0)
            np.testing.assert_allclose(pooled[0], arora / sif[ids].mean(), atol=EXACT)


class TestRatiosAsValuesAreNaiveBayes:
    """I3: uniform attention, V_j = r of x_j: H times the length is the decision of naive Bayes."""

    def test_exact(self):
        read = read_of()
        ratio = log_count_ratio(read.counts, CLASSES == 1)
        model = MultinomialNB(alpha=1.0, fit_prior=False).fit(read.counts, CLASSES)
        logs = model.predict_joint_log_proba(read.counts)
        for ids, expected in zip(read.tokens, logs[:, 1] - logs[:, 0]):
            pooled, weights = attended(ratio[ids][:, None], np.zeros((1, len(ids))))
            assert weights[0].tolist() == pytest.approx([1 / len(ids)] * len(ids))
            np.testing.assert_allclose(pooled[0, 0] * len(ids), expected, atol=EXACT)

    def test_three_classes_each_against_the_rest(self):
        read = read_of()
        classes = np.array([0, 1, 2, 1, 0])
        ratios = np.stack([log_count_ratio(read.counts, classes == c) for c in range(3)], axis=1)
        for number in range(3):
            model = MultinomialNB(alpha=1.0, fit_prior=False).fit(read.counts, classes == number)
            logs = model.predict_joint_log_proba(read.counts)
            for ids, expected in zip(read.tokens, logs[:, 1] - logs[:, 0]):
                pooled, _ = attended(ratios[ids], np.zeros((1, len(ids))))
                np.testing.assert_allclose(pooled[0, number] * len(ids), expected, atol=EXACT)


class TestHeadThatLooksBackIsBigrams:
    """I4: bias -1e9 except at offset -1: H_i = x_{i-1}; beside x_i it is the bigram."""

    @staticmethod
    def previous(ids, n_terms):
        length = len(ids)
        bias = np.full((length, length), -1e9)
        bias[np.arange(1, length), np.arange(length - 1)] = 0.0
        return attended(one_hot(ids, n_terms), bias, length)[0]

    def test_exact(self):
        read = read_of()
        n_terms = len(read.vocabulary)
        for ids in read.tokens:
            looked_at = self.previous(ids, n_terms)
            assert np.array_equal(looked_at[1:], one_hot(ids, n_terms).numpy()[:-1])

    def test_counts_of_bigrams(self):
        """Summed over the text, previous ⊗ own is the table of bigrams."""
        read = read_of()
        n_terms, terms = len(read.vocabulary), read.vocabulary.terms
        counters = [
            CountVectorizer(analyzer="char", ngram_range=(2, 2)),
            NgramVectorizer(unit="char", ngram_range=(2, 2)),
        ]
        for counter in counters:
            expected = counter.fit_transform(TEXTS).toarray()
            places = [
                divmod(place, n_terms)
                for name in counter.get_feature_names_out()
                for place in [terms.index(name[0]) * n_terms + terms.index(name[1])]
            ]
            for ids, row in zip(read.tokens, expected):
                own = one_hot(ids, n_terms).numpy()
                table = self.previous(ids, n_terms)[1:].T @ own[1:]
                assert [table[place] for place in places] == row.tolist()
                assert table.sum() == row.sum()


def test_positional_bag_of_words():
    """I5: values e_x ⊗ e_j under uniform attention, times the length, are term × position."""
    read = read_of()
    vectorizer = PositionalBagOfWordsVectorizer(segmenter="char", max_position=9)
    expected = vectorizer.fit_transform(TEXTS).toarray()
    names = vectorizer.get_feature_names_out().tolist()
    n_terms, n_positions = len(read.vocabulary), 9
    for ids, row in zip(read.tokens, expected):
        where = torch.eye(n_positions, dtype=torch.float64)[: len(ids)]
        values = (one_hot(ids, n_terms)[:, :, None] * where[:, None, :]).flatten(1)
        pooled, _ = attended(values, np.zeros((1, len(ids))))
        table = (pooled[0] * len(ids)).reshape(n_terms, n_positions)
        found = []
        for name in names:
            position, term = name.split(":")
            found.append(table[read.vocabulary.ids[term], int(position)])
        np.testing.assert_allclose(found, row, atol=EXACT)
        assert table.sum() == pytest.approx(row.sum(), abs=EXACT)


def test_absolute_positions_are_its_low_rank_version():
    """I5: Σ_j (U e_x) ⊗ (P e_j) is the positional bag of words between U and P."""
    read = read_of()
    random = np.random.default_rng(0)
    terms, positions = random.normal(size=(len(read.vocabulary), 3)), random.normal(size=(9, 2))
    for ids in read.tokens:
        table = np.zeros((len(terms), 9))
        table[ids, np.arange(len(ids))] = 1.0
        values = (terms[ids][:, :, None] * positions[: len(ids)][:, None, :]).reshape(len(ids), -1)
        pooled, _ = attended(values, np.zeros((1, len(ids))))
        expected = terms.T @ table @ positions
        np.testing.assert_allclose(pooled[0] * len(ids), expected.ravel(), atol=EXACT)


class TestSilentHeadIsTheExpert:
    """I6: log softmax(0 + log p) = log p: with a head of zeros, the classical model answers."""

    def said(self, prior, fitted, logs):
        """What a network with the prior says of as many texts, and what the expert says."""
        read = read_of()
        settings = NetworkSettings(
            len(read.vocabulary), logs.shape[1], 8, 1, AttentionSpec(n_heads=2), 1
        )
        network = Network(settings, [(prior, fitted)], torch.Generator().manual_seed(0)).eval()
        rows = fitted.calibrated(logs)
        maker = BatchMaker(read.tokens, len(read.vocabulary), priors=[PriorInputs(rows=rows)])
        with torch.no_grad():
            return network(maker.batch(np.arange(len(rows)))).logits.numpy(), rows

    def test_exact(self):
        """Decisions that are log-probabilities come through the network to the last bit."""
        counts = read_of().counts
        logs = LogisticRegression().fit(counts, CLASSES).predict_log_proba(counts)
        fitted = FittedExpertPrior(1.0, 1.0, np.empty((0, 2), np.float32))
        found, rows = self.said(ExpertPrior(), fitted, logs)
        np.testing.assert_array_equal(found, rows)
        np.testing.assert_allclose(found, logs, atol=SINGLE)
        np.testing.assert_allclose(softmax(found, axis=1), np.exp(logs), atol=SINGLE)

    def test_a_head_that_is_not_silent_has_its_say(self):
        logs = np.log(np.full((len(TEXTS), 2), 0.5))
        fitted = FittedExpertPrior(1.0, 1.0, np.empty((0, 2), np.float32))
        found, rows = self.said(ExpertPrior(head="random"), fitted, logs)
        assert np.abs(found - rows).max() > 1e-3

    def test_fitted_prior(self):
        """Decisions divided by the temperature, whatever it is, decide as before."""
        decisions = np.random.default_rng(0).normal(size=(30, 3))
        classes = decisions.argmax(axis=1)
        classes[:8] = (classes[:8] + 1) % 3
        fitted = ExpertPrior().fit_logits(decisions, classes)
        assert abs(fitted.temperature - 1) > 0.1
        found, rows = self.said(ExpertPrior(), fitted, decisions[: len(TEXTS)])
        np.testing.assert_array_equal(found, rows)
        wanted = log_softmax(decisions[: len(TEXTS)] / fitted.temperature, axis=1)
        np.testing.assert_allclose(found, wanted, atol=SINGLE)
        assert np.array_equal(found.argmax(axis=1), decisions[: len(TEXTS)].argmax(axis=1))


class TestWidePartAloneIsNaiveBayes:
    """I7: W = 1 and attention logits 0: the decision of naive Bayes on presence."""

    def test_multinomial_on_presence(self):
        held = presence(read_of().counts)
        decisions = held @ log_count_ratio(held, CLASSES == 1)
        logs = MultinomialNB(fit_prior=False).fit(held, CLASSES).predict_joint_log_proba(held)
        np.testing.assert_allclose(decisions, logs[:, 1] - logs[:, 0], atol=EXACT)

    def test_bernoulli_only_with_absence(self):
        """BernoulliNB divides by documents instead of terms, and adds what is absent."""
        held = presence(read_of().counts)
        present = held.toarray()
        decisions = held @ log_count_ratio(held, CLASSES == 1)
        model = BernoulliNB(fit_prior=False).fit(held, CLASSES)
        logs = model.predict_joint_log_proba(held)
        bernoulli = logs[:, 1] - logs[:, 0]
        assert np.abs(decisions - bernoulli).max() > 0.1
        of_class = [present[number == CLASSES] for number in (0, 1)]
        totals = [1.0 * present.shape[1] + part.sum() for part in of_class]
        n_documents = [2.0 + len(part) for part in of_class]
        per_term = np.log(totals[1] / totals[0]) - np.log(n_documents[1] / n_documents[0])
        zero, one = 1 - np.exp(model.feature_log_prob_)
        absent = (1 - present) @ (np.log(one) - np.log(zero))
        together = decisions + per_term * present.sum(axis=1) + absent
        np.testing.assert_allclose(together, bernoulli, atol=EXACT)

    def test_fitted_prior(self):
        read = read_of()
        prior = WidePrior(word_ngrams=None, char_ngrams=(1, 1), min_df=1)
        fitted = prior.fit(read, CLASSES, 2, seed=0)
        logits = fitted.inputs(read).table @ fitted.ratios.T
        held = presence(csr_array(read.counts))
        logs = MultinomialNB(fit_prior=False).fit(held, CLASSES).predict_joint_log_proba(held)
        np.testing.assert_allclose(logits[:, 1], logs[:, 1] - logs[:, 0], atol=SINGLE)
        np.testing.assert_allclose(logits[:, 0], -logits[:, 1], atol=SINGLE)
