"""Whether two fitted vectorizers can become one that knows both texts exactly."""

import re
from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from nlpfeat.errors import InvalidParameterError, VocabularyMismatchError
from nlpfeat.features.given_vocabulary import given_names
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.stopwords import read_stop_words

if TYPE_CHECKING:
    from nlpfeat.features.document_counter import DocumentCounter

_WITHOUT_NAME = re.compile("<lambda>|<locals>")


def check_mergeable(ours: "DocumentCounter", theirs: "DocumentCounter") -> None:
    """Raise when merging would not equal fitting on both texts.

    Raises
    ------
    InvalidParameterError
        When the other one is of another class.
    VocabularyMismatchError
        When parameters differ, or when columns were left out.
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
    if ours.segmenter is not theirs.segmenter and _WITHOUT_NAME.search(str(there["segmenter"])):
        raise VocabularyMismatchError(
            "Vectorizers that cut with functions without a name cannot be merged, since nothing "
            "tells one function from another. Give both the same segmenter object. "
            f"Got {there['segmenter']}."
        )
    is_whole = ours.min_df in (0, 1, 0.0) and ours.max_df == 1.0 and ours.max_features is None
    is_whole = is_whole and isinstance(ours.max_df, float) and not _is_share(ours.min_df)
    if ours.vocabulary is None and not is_whole:
        raise VocabularyMismatchError(
            "Vectorizers that left features out cannot be merged exactly. Fit with min_df=1, "
            "max_df=1.0 and max_features=None, or with the same vocabulary=. Got "
            f"min_df={ours.min_df!r}, max_df={ours.max_df!r}, max_features={ours.max_features!r}."
        )


def _is_share(min_df: float) -> bool:
    return isinstance(min_df, float) and min_df > 0


def _comparable(vectorizer: "DocumentCounter") -> dict[str, object]:
    """Return the parameters that decide what is counted, in a form that compares."""
    parameters: dict[str, object] = dict(vectorizer.get_params(deep=False))
    del parameters["n_jobs"]
    normalization = Normalization(vectorizer.fold_width, vectorizer.lowercase)
    parameters["segmenter"] = as_segmenter(vectorizer.segmenter).identity
    parameters["stop_words"] = sorted(read_stop_words(vectorizer.stop_words, normalization))
    if vectorizer.vocabulary is not None:
        parameters["vocabulary"] = given_names(vectorizer.vocabulary)
    return parameters
