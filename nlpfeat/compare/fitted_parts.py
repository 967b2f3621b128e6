"""What a fitted pipeline is put together from."""

from collections.abc import Iterator
from typing import Any


def fitted_parts(estimator: Any) -> Iterator[Any]:
    """Yield the fitted parts of pipelines and unions, in their order.

    Parameters
    ----------
    estimator : object
        A part of its own where it is neither.

    Yields
    ------
    object

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline, make_union
    >>> from sklearn.svm import LinearSVC
    >>> from nlpfeat import BagOfWordsVectorizer, NgramVectorizer
    >>> model = make_pipeline(make_union(BagOfWordsVectorizer(), NgramVectorizer()), LinearSVC())
    >>> model = model.fit([["好", "茶"], ["坏", "茶"]], ["正", "负"])
    >>> [type(each).__name__ for each in fitted_parts(model)]
    ['BagOfWordsVectorizer', 'NgramVectorizer', 'LinearSVC']
    """
    if hasattr(estimator, "steps"):
        for _, step in estimator.steps:
            yield from fitted_parts(step)
    elif hasattr(estimator, "transformer_list"):
        for _, part in estimator.transformer_list:
            yield from fitted_parts(part)
    else:
        yield estimator
