"""Whether two fitted vectorizers can become one that knows both texts exactly."""

from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from nlpfeat.errors import InvalidParameterError, VocabularyMismatchError
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.segmenters.found_names import UNIDENTIFIED

if TYPE_CHECKING:
    from nlpfeat.features.document_counter import DocumentCounter


def check_mergeable(ours: "DocumentCounter", theirs: "DocumentCounter") -> None:
    """Raise when merging would not equal fitting on both texts.

    Raises
    ------
    InvalidParameterError
        When the other one is of another class.
    VocabularyMismatchError
        When parameters differ, or when features were left out.
    sklearn.exceptions.NotFittedError
        When one of them is not fitted.
    """
    if type(ours) is not type(theirs):
        raise InvalidParameterError(
            f"merge needs another {type(ours).__name__}. Got a {type(theirs).__name__}."
        )
    check_is_fitted(ours)
    check_is_fitted(theirs)
    there = _comparable(theirs)
    for name, value in _comparable(ours).items():
        if value != there[name]:
            raise VocabularyMismatchError(
                f"Vectorizers with different parameters cannot be merged: {name} is {value!r} "
                f"here and {there[name]!r} there."
            )
    if ours.segmenter is not theirs.segmenter and UNIDENTIFIED in str(there["segmenter"]):
        raise VocabularyMismatchError(
            "Vectorizers that cut with functions without a name, or with objects that do not show "
            "their settings, cannot be merged, since nothing tells one from another. Give both the "
            "same segmenter object. "
            f"Got {there['segmenter']}."
        )
    if ours.vocabulary is None and not _keeps_all(ours):
        raise VocabularyMismatchError(
            "Vectorizers that left features out cannot be merged exactly. Fit with min_df=1, "
            "max_df=1.0 and max_features=None, or with the same vocabulary=. Got "
            f"min_df={ours.min_df!r}, max_df={ours.max_df!r}, max_features={ours.max_features!r}."
        )


def _keeps_all(vectorizer: "DocumentCounter") -> bool:
    """Tell whether no feature of a text is left out, whatever the text."""
    # 1 is one document, 1.0 is all of them.
    min_df, max_df = vectorizer.min_df, vectorizer.max_df
    keeps_rare = min_df == 0 or (min_df == 1 and isinstance(min_df, Integral))
    keeps_frequent = max_df == 1 and not isinstance(max_df, Integral)
    return keeps_rare and keeps_frequent and vectorizer.max_features is None


def _comparable(vectorizer: "DocumentCounter") -> dict[str, object]:
    """Return what decides what is counted, in a form that compares: as learned, where it was."""
    parameters: dict[str, object] = dict(vectorizer.get_params(deep=False))
    del parameters["n_jobs"]
    parameters["segmenter"] = as_segmenter(vectorizer.segmenter).identity
    parameters["stop_words"] = list(vectorizer.stop_words_)
    parameters["dtype"] = np.dtype(vectorizer.dtype).name
    if vectorizer.vocabulary is not None:
        parameters["vocabulary"] = vectorizer.get_feature_names_out().tolist()
    return parameters
