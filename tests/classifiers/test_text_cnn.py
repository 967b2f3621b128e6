"""Convolutions over tokens, computed window by window."""

import numpy as np
import pytest
import torch
from estimators import DOCUMENTS, LABELS
from network_classifiers import small
from token_batches import N_TERMS, TOKENS, batch_of
from torch.nn import functional

from nlpfeat import TextCnnBaseline
from nlpfeat.classifiers._text_cnn import TextCnn, TextCnnSettings
from nlpfeat.errors import InvalidParameterError


def network(widths=(2, 3, 5), n_filters=4, **parameters):
    settings = TextCnnSettings(
        n_terms=N_TERMS, n_classes=3, d_model=6, dropout=0.0, token_dropout=0.0, widths=widths,
        n_filters=n_filters, **parameters,
    )  # fmt: skip
    made = TextCnn(settings, torch.Generator().manual_seed(1)).eval()
    with torch.no_grad():
        for name, each in made.named_parameters():
            if name.endswith("bias"):
                each.normal_(generator=torch.Generator().manual_seed(2))
    return made


def by_hand(made, tokens):
    """Return the log-scores of one document, in float64: every window by itself."""
    weights = {name: each.double().numpy() for name, each in made.state_dict().items()}
    vectors, d_model = weights["embedding.weight"], made.settings.d_model
    maxima = []
    for number, width in enumerate(made.settings.widths):
        filters, bias = weights[f"filters.{number}.weight"], weights[f"filters.{number}.bias"]
        found = []
        for start in range(1 - width, len(tokens)):
            inside = [tokens[at] if 0 <= at < len(tokens) else None
                      for at in range(start, start + width)]  # fmt: skip
            if any(token is not None for token in inside):
                rows = [np.zeros(d_model) if token is None else vectors[token] for token in inside]
                found.append(np.maximum(filters @ np.concatenate(rows) + bias, 0.0))
        maxima.append(np.max(found, axis=0) if found else np.zeros(len(bias)))
    return weights["head.weight"] @ np.concatenate(maxima) + weights["head.bias"]


@pytest.mark.parametrize("n_columns", [None, 6, 17])
def test_every_window_by_hand(n_columns):
    made = network()
    found = made(batch_of(TOKENS, n_columns)).logits.detach().numpy()
    wanted = np.stack([by_hand(made, tokens) for tokens in TOKENS])
    assert found == pytest.approx(wanted, abs=1e-6)
    assert len({tuple(row.round(4)) for row in wanted}) == len(TOKENS) - 1  # two hold no token


def test_it_is_torch_own_convolution():
    made = network()
    batch = batch_of([[0, 3, 2, 6, 1, 5], [4, 1, 7, 7, 0, 2]])  # nothing is padded
    vectors = made.embedding(batch.ids).transpose(1, 2)
    maxima = []
    for width, filters in zip(made.settings.widths, made.filters):
        kernel = filters.weight.unflatten(1, (width, -1)).transpose(1, 2)
        said = functional.conv1d(vectors, kernel, filters.bias, padding=width - 1)
        maxima.append(functional.relu(said).amax(dim=2))
    torch.testing.assert_close(made(batch).logits, made.head(torch.cat(maxima, dim=1)))


def test_a_document_without_a_token_has_the_bias_of_the_head_and_finite_gradients():
    made = network()
    output = made(batch_of([[], [None, None]], 4))
    assert torch.equal(output.logits, made.head.bias.expand(2, -1))
    output.logits.square().sum().backward()
    assert all(bool(torch.isfinite(each.grad).all()) for each in made.parameters()
               if each.grad is not None)  # fmt: skip


def test_order_counts_within_a_filter_and_place_does_not():
    made = network(widths=(2,))
    one, moved, turned = made(batch_of([[1, 2], [None, None, 1, 2], [2, 1]], 6)).logits
    torch.testing.assert_close(one, moved)
    assert not torch.allclose(one, turned, atol=1e-3)


def test_filters_of_one_token_see_no_order():
    made = network(widths=[1])
    first, other = made(batch_of([[1, 2, 5], [5, 1, 2]])).logits
    torch.testing.assert_close(first, other)


@pytest.mark.parametrize(("parameters", "message"), [
    ({"widths": ()}, r"widths must be a list of numbers of tokens, such as \(2, 3, 4\)\. Got \(\)"),
    ({"widths": 3}, "widths must be a list .*Got 3"),
    ({"widths": "234"}, "widths must be a list .*Got '234'"),
    ({"widths": (2, 0)}, r"widths\[1\] must be an integer that is at least 1\. Got 0"),
    ({"widths": (2, 2.5)}, r"widths\[1\] must be an integer"),
    ({"widths": (10**9,)}, r"widths\[0\] must be at most 1,024"),
    ({"widths": (2, 3, 2)}, r"widths must be different from one another. Got \(2, 3, 2\)"),
    ({"n_filters": 0}, "n_filters must be an integer that is at least 1"),
    ({"n_filters": 10**20}, "n_filters must be at most 1,048,576"),
])  # fmt: skip
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        TextCnnBaseline(**parameters).fit(DOCUMENTS, LABELS)


def test_widths_of_any_sequence():
    weights = [small("convolutions", widths=widths).fit(DOCUMENTS, LABELS)._weights
               for widths in ((3, 2), [3, 2], (3, 2, 4))]  # fmt: skip
    assert weights[0] == weights[1] != weights[2]
