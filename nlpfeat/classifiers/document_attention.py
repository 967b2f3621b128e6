"""Where attention looked in a document."""

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Float32Array: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class DocumentAttention:
    """The tokens of a document, and the weights that each head of a classifier gave them.

    Parameters
    ----------
    tokens : list of str, length L
        As the classifier compares them: folded and in lower case. Those that it does not see
        (punctuation, stop words) are there too, with weights of 0.
    layers : ndarray of float32, shape (n_layers, H, L, L)
        ``layers[l, h, i, j]``: how much token i took of token j. With ``"softmax"`` a row sums to 1
        over j; rows of tokens that the classifier does not see mean nothing.
    pooling : ndarray of float32, shape (H, n_queries, L)
        How much of each token went into the document: what each head of each learned query took. A
        row sums to 1, of a document without a token to 0.

    Notes
    -----
    H is ``n_heads``; with the score ``"multidim"``, which weighs each dimension by itself, it is
    ``n_heads`` times the width of a head.

    Examples
    --------
    >>> attention = DocumentAttention(
    ...     ["很", "好"], np.zeros((0, 1, 2, 2), np.float32), np.array([[[0.25, 0.75]]], np.float32)
    ... )
    >>> attention
    <DocumentAttention of 2 tokens, 0 layers, 1 head>
    >>> attention.token_weights
    array([0.25, 0.75], dtype=float32)
    """

    tokens: list[str]
    layers: Float32Array = field(repr=False)
    pooling: Float32Array = field(repr=False)

    @property
    def token_weights(self) -> Float32Array:
        """How much of each token went into the document, float32, shape (L,): mean of all heads."""
        return np.asarray(self.pooling.mean(axis=(0, 1)))

    def __repr__(self) -> str:
        """Say how much there is."""
        parts = [
            f"{number} {name}{'' if number == 1 else 's'}"
            for number, name in (
                (len(self.tokens), "token"),
                (len(self.layers), "layer"),
                (len(self.pooling), "head"),
            )
        ]
        return f"<DocumentAttention of {', '.join(parts)}>"
