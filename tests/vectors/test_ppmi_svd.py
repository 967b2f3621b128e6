"""Vectors from counts, against the formula with dense arrays."""

import numpy as np
import pytest

from nlpfeat import count_cooccurrences
from nlpfeat.measures.naive_bayes import log_count_ratio
from nlpfeat.vectors.ppmi_svd import ppmi_svd
from nlpfeat.vectors.settings import EmbeddingSettings

DOCUMENTS = [["茶", "叶", "茶", "水", "茶", "杯", "水", "杯"], ["水", "杯", "好"], ["茶", "好"]]


def dense_ppmi(counts, smoothing, shift):
    """Write the definition out, with loops over all pairs of terms."""
    table = counts.matrix.toarray()
    context = table.sum(axis=0) ** smoothing
    result = np.zeros(table.shape)
    for x in range(len(table)):
        for y in range(len(table)):
            if table[x, y]:
                expected = table[x].sum() * context[y] / context.sum()
                result[x, y] = max(np.log2(table[x, y] / expected) - np.log2(shift), 0)
    return result


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("context_weight", [0.0, 1.0, 0.5])
@pytest.mark.parametrize(("smoothing", "shift"), [(1.0, 1.0), (0.75, 1.5)])
def test_equals_the_formula(exponent, context_weight, smoothing, shift):
    counts = count_cooccurrences(DOCUMENTS, window=2)
    settings = EmbeddingSettings(
        n_components=2, smoothing=smoothing, shift=shift, exponent=exponent,
        context_weight=context_weight,
    )  # fmt: skip
    u, s, vt = np.linalg.svd(dense_ppmi(counts, smoothing, shift))
    wanted = u[:, :2] * s[:2] ** exponent + context_weight * vt[:2].T * s[:2] ** exponent
    found = ppmi_svd(counts, settings)
    # Signs of whole dimensions are free: inner products are not.
    assert np.allclose(found @ found.T, wanted @ wanted.T, atol=1e-12)
    assert found.dtype == np.float64


def test_ppmi_by_hand():
    # 茶水 twice and 茶杯 once, side by side. Both orders: N = 6; n(茶) = 3, n(水) = 2, n(杯) = 1.
    counts = count_cooccurrences([["茶", "水"], ["茶", "水"], ["茶", "杯"]], window=1)
    assert counts.vocabulary.terms == ("杯", "水", "茶")
    # log2(2·6 / (3·2)) = log2(1·6 / (3·1)) = 1: the table is 茶's row and column of ones.
    assert np.allclose(dense_ppmi(counts, 1.0, 1.0), [[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    # Its singular values are √2, √2 and 0; 杯 and 水 share (1, 1)/√2 and 茶 stands alone.
    vectors = ppmi_svd(counts, EmbeddingSettings(n_components=3, smoothing=1.0, exponent=1.0))
    assert np.allclose(vectors @ vectors.T, [[1, 1, 0], [1, 1, 0], [0, 0, 2]])
    assert not vectors[:, 2].any()


def test_a_full_factorization_has_the_products_of_the_rows():
    counts = count_cooccurrences(DOCUMENTS, window=3)
    table = dense_ppmi(counts, 0.75, 1.0)
    vectors = ppmi_svd(counts, EmbeddingSettings(n_components=5, exponent=1.0))
    assert np.allclose(vectors @ vectors.T, table @ table.T, atol=1e-10)


@pytest.mark.parametrize("context_weight", [0.0, 0.5])
@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0])
def test_rare_terms_are_folded_in(exponent, context_weight):
    counts = count_cooccurrences(DOCUMENTS, window=2)
    assert counts.vocabulary.terms == ("叶", "好", "杯", "水", "茶")
    assert counts.vocabulary.term_frequencies.tolist() == [1, 2, 3, 3, 4]
    settings = EmbeddingSettings(
        n_components=2, exponent=exponent, context_weight=context_weight, max_contexts=3,
    )  # fmt: skip
    table = dense_ppmi(counts, 0.75, 1.0)
    u, s, vt = np.linalg.svd(table[2:, 2:])
    scale = s[:2] ** (exponent - 1)
    wanted = table[:, 2:] @ vt[:2].T * scale + context_weight * table[2:].T @ u[:, :2] * scale
    found = ppmi_svd(counts, settings)
    assert np.allclose(found @ found.T, wanted @ wanted.T, atol=1e-12)
    if not context_weight:
        # The factorized rows are U Σ^p.
        direct = u[:, :2] * s[:2] ** exponent
        assert np.allclose(found[2:] @ found[2:].T, direct @ direct.T, atol=1e-12)


def test_ties_of_frequency_are_contexts_by_code_point():
    # 丙 乙 甲 occur twice each, in code-point order. With 丙 as the only context, 乙 and 甲 have a
    # vector and 丙, which is never near itself, has none.
    counts = count_cooccurrences([["甲", "丙"], ["甲", "乙"], ["乙", "丙"]], window=1)
    settings = EmbeddingSettings(n_components=1, exponent=1.0, max_contexts=1)
    table = dense_ppmi(counts, 0.75, 1.0)
    assert table[:, 0].tolist() == [0.0, table[1, 0], table[1, 0]]
    assert not ppmi_svd(counts, settings).any()  # 丙 alone is factorized: nothing to learn
    counts = count_cooccurrences([["甲", "丙", "丙"], ["甲", "乙"], ["乙", "丙"]], window=1)
    assert np.allclose(ppmi_svd(counts, settings)[:, 0], dense_ppmi(counts, 0.75, 1.0)[:, 0])


def test_an_empty_row_is_the_zero_vector():
    counts = count_cooccurrences([["茶", "水"], ["独"], ["茶", "水"]])
    vectors = ppmi_svd(counts, EmbeddingSettings(n_components=2))
    assert not vectors[counts.vocabulary.ids["独"]].any()
    assert np.isfinite(vectors).all()


def test_identical_frames_have_cosine_one_and_opposite_classes():
    """好 and 坏 in identical frames: nothing but the class of the texts tells them apart."""
    frames = [("菜", "很"), ("房间", "真"), ("服务", "特别"), ("味道", "非常"), ("质量", "太")]
    extra = ("我们", "昨天", "去", "那里", "看")
    documents, labels = [], []
    for number, (noun, adverb) in enumerate(frames):
        for word, label in (("好", 1), ("坏", 0)):
            for _ in range(4):
                documents.append([*extra[: number + 1], noun, adverb, word])
                labels.append(label)
    counts = count_cooccurrences(documents)
    ids = counts.vocabulary.ids
    assert counts.matrix[[ids["好"]], [ids["坏"]]].item() == 0  # never together: no PMI
    for n_components, exponent in ((3, 0.0), (5, 0.5), (len(ids), 1.0)):
        vectors = ppmi_svd(counts, EmbeddingSettings(n_components=n_components, exponent=exponent))
        good, bad = vectors[ids["好"]], vectors[ids["坏"]]
        cosine = good @ bad / np.linalg.norm(good) / np.linalg.norm(bad)
        assert cosine == pytest.approx(1.0, abs=1e-9)
    presence = np.array([[word in document for word in ("好", "坏")] for document in documents])
    good_odds, bad_odds = log_count_ratio(presence.astype(int), np.array(labels) == 1)
    # 20 favorable texts with 好 and none with 坏, add-one: ln(21/22) - ln(1/22).
    assert good_odds == pytest.approx(np.log(21))
    assert bad_odds == pytest.approx(-np.log(21))
