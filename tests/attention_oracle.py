"""Attention in plain NumPy, one pair after the other: the definition that the layer must meet."""

import cmath
import math

import numpy as np


def numpy_of(tensor):
    return tensor.detach().double().numpy()


def attention_by_loops(attention, tokens, mask=None, bias=None):
    """Return what an ``Attention`` says: hidden (B, Q, d_model) and weights (B, H, [D,] Q, K).

    Rows of padding that asks are as they fall; they are compared nowhere.
    """
    tokens = numpy_of(tokens)
    n_batch, n_tokens, _ = tokens.shape
    mask = np.ones((n_batch, n_tokens), bool) if mask is None else mask.numpy()
    results = [
        _document(attention, np.where(mask[b][:, None], tokens[b], 0.0), mask[b], bias, b)
        for b in range(n_batch)
    ]
    return tuple(np.stack(parts) for parts in zip(*results))


def _document(attention, x, real, bias, b):
    spec, layout = attention.spec, attention.layout
    heads, weights = [], []
    for h in range(layout.n_heads):
        query, key, value = _projected(attention, x, h)
        allowed = _allowed(spec, len(query), real)
        scores = np.array(
            [
                [_pair_score(attention, h, q, k, i, j) for j, k in enumerate(key)]
                for i, q in enumerate(query)
            ]
        )
        if scores.ndim == 2:
            scores = scores[:, :, None]
        if bias is not None:
            scores = scores + numpy_of(bias)[b, h][:, :, None]
        normalized = [
            normalize(spec.normalizer_settings(), scores[:, :, d], allowed)
            for d in range(scores.shape[-1])
        ]
        if len(normalized) == 1:
            heads.append(normalized[0] @ value)
            weights.append(normalized[0])
        else:
            columns = [a @ value[:, d] for d, a in enumerate(normalized)]
            heads.append(np.stack(columns, axis=1))
            weights.append(np.stack(normalized))
    return np.concatenate(heads, axis=1) @ numpy_of(attention.output.weight).T, np.stack(weights)


def _projected(attention, x, h):
    """Return query, key and value rows of one head."""
    layout, score = attention.layout, attention.spec.score_settings()
    group = h // (layout.n_heads // layout.n_kv_heads)
    width = score.query_width(x.shape[1], layout.d_head)
    weights = [attention.query_weight, attention.key_weight, attention.value_weight]
    sizes = [len(weight) for weight in weights]
    added = np.zeros(sum(sizes))
    if attention.projection.bias is not None:
        added = numpy_of(attention.projection.bias)
    parts = np.split(added, np.cumsum(sizes)[:-1])
    rows = [x @ numpy_of(weight).T + part for weight, part in zip(weights, parts)]
    query = rows[0][:, h * width : (h + 1) * width]
    key = rows[1][:, group * width : (group + 1) * width] if score.projects_keys else x
    value = rows[2][:, group * layout.d_head : (group + 1) * layout.d_head]
    if attention.spec.n_queries:
        query = numpy_of(attention.queries)[h]
    return query, key, value


def _allowed(spec, n_queries, real):
    n_keys = len(real)
    allowed = np.zeros((n_queries, n_keys), bool)
    for i in range(n_queries):
        for j in range(n_keys):
            asks = spec.n_queries or real[i] or not spec.normalizer_settings().couples_queries
            allowed[i, j] = asks and real[j] and (not spec.causal or j <= i)
    return allowed


def _pair_score(attention, h, q, k, i, j):
    name = attention.spec.position_settings().name
    if name == "rope":
        q, k = _turned(q, i), _turned(k, j)
    score = _content_score(attention, h, q, k)
    if name == "t5":
        score = score + numpy_of(attention.position.table)[h, _bucket(j - i)]
    if name == "alibi":
        score = score - 2.0 ** (-8 * (h + 1) / attention.layout.n_heads) * abs(i - j)
    if name == "shaw":
        vector = numpy_of(attention.position.table)[min(max(j - i, -16), 16) + 16]
        score = score + q @ vector / math.sqrt(len(q))
    return score


def _content_score(attention, h, q, k):
    name, function = attention.spec.score_settings().name, attention.score
    if name in ("dot", "bilinear"):
        return q @ k / math.sqrt(len(q))
    if name == "cosine":
        scale = math.exp(numpy_of(function.log_scale)[h])
        lengths = np.linalg.norm(q) * np.linalg.norm(k)
        return scale * (q @ k) / lengths if lengths else 0.0
    hidden = np.tanh(
        q @ numpy_of(function.query_weight)[h]
        + k @ numpy_of(function.key_weight)[h]
        + numpy_of(function.bias)[h, 0]
    )
    if name == "multidim":
        return hidden @ numpy_of(function.output_weight)[h]
    for weight, added in zip(function.deep_weights, function.deep_biases):
        hidden = np.tanh(hidden @ numpy_of(weight)[h] + numpy_of(added)[h, 0])
    return hidden @ numpy_of(function.vector)[h, :, 0]


def _turned(vector, position):
    width = len(vector)
    turned = []
    for pair in range(width // 2):
        angle = position * 10000.0 ** (-2 * pair / width)
        number = complex(*vector[2 * pair : 2 * pair + 2]) * cmath.exp(1j * angle)
        turned += [number.real, number.imag]
    return np.array(turned)


def _bucket(offset):
    """Return one of T5's 32 buckets up to 128."""
    begins = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]
    return sum(abs(offset) >= begin for begin in begins) + (16 if offset > 0 else 0)


def normalize(normalizer, scores, allowed):
    """Return the weights (Q, K) of the usual settings of each normalizer."""
    grown = np.where(allowed, np.exp(scores - scores.max(initial=-99)), 0.0)
    by_row, by_column = _divided(grown, 1), _divided(grown, 0)
    if normalizer.name == "softmax":
        return by_row
    if normalizer.name == "capsule":
        return _divided(by_column, 1)
    if normalizer.name == "dual":
        return by_row * by_column
    if normalizer.name == "sinkhorn":
        for _ in range(normalizer.n_iterations - 1):
            by_row = _divided(_divided(by_row, 0), 1)
        return by_row
    power = {"sparsemax": 1, "entmax15": 2}[normalizer.name]
    weights = np.zeros(scores.shape)
    for i, row in enumerate(allowed):
        if row.any():
            weights[i, row] = _above_threshold(scores[i, row] / power, power)
    return weights


def _divided(table, axis):
    total = table.sum(axis, keepdims=True)
    return np.divide(table, total, out=np.zeros_like(table), where=total > 0)


def _above_threshold(z, power):
    """Return max(z - t, 0)^power, with the t that makes them sum to one, by bisection."""
    low, high = z.max() - 1.0, z.max()
    for _ in range(200):
        middle = (low + high) / 2
        if (np.maximum(z - middle, 0.0) ** power).sum() >= 1.0:
            low = middle
        else:
            high = middle
    return np.maximum(z - low, 0.0) ** power
