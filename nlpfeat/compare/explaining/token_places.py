"""From what a model reads in a token list back to the tokens of that list."""

from collections.abc import Sequence

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Int64Array
from nlpfeat.counts.ngram_names import UNITS
from nlpfeat.text.characters import is_blank


def token_places(document: Sequence[str], unit: str) -> Int64Array:
    r"""Return the token that each word or character which a model reads comes from.

    Blanks are no tokens and take no place. Folding and lower-casing act on each word or character
    by itself and move none.

    Parameters
    ----------
    document : sequence of str
        L tokens.
    unit : {"word", "char"}
        What the model reads.

    Returns
    -------
    ndarray of int64, shape (n_read,)
        Places in ``document``, ascending.

    Examples
    --------
    >>> token_places(["天气", "\n", "很", "好"], "char").tolist()
    [0, 0, 2, 3]
    >>> token_places(["天气", "\n", "很", "好"], "word").tolist()
    [0, 2, 3]
    """
    lookup(UNITS, unit, "unit")
    pieces = (list(token) if unit == "char" else [token] for token in document)
    places = [place for place, each in enumerate(pieces) for piece in each if not is_blank(piece)]
    return np.array(places, dtype=np.int64)
