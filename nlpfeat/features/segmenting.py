"""Segmentation as a step of its own, which several features share."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from nlpfeat._validation import check_bool
from nlpfeat.features.document_reader import SegmenterLike
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.batches import Documents
from nlpfeat.text.cutting import cut_documents
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import as_segmenter


@dataclass(kw_only=True, eq=False, repr=False)
class SegmentTransformer(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[misc,call-arg]
    r"""Documents → token lists.

    Put it first in a pipeline, and what stands behind it shares one segmentation: every estimator
    takes token lists as it takes texts, with the same result.

    Parameters
    ----------
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Cuts texts; token lists are taken as they are.
    fold_width : bool, default True
        Whether full-width letters and digits become half-width before the text is cut.
    n_jobs : int, default None
        Processes that segment; -1 takes all processors. The result is the same.

    Notes
    -----
    It learns nothing, so it needs no ``fit``. Tokens keep their case: lower-casing acts when they
    are counted. Blanks are no tokens, but a line end inside a document stays as the token
    ``"\n"``: sentences end there.

    Examples
    --------
    >>> SegmentTransformer().transform(["今天天气很好！", "ＧＤＰ增长５％"])
    [['今天天气', '很', '好', '！'], ['GDP', '增长', '5', '％']]

    Four features of one corpus, segmented once:

    >>> from sklearn.pipeline import make_pipeline, make_union
    >>> from nlpfeat import BagOfWordsVectorizer, NgramVectorizer, TfidfVectorizer
    >>> features = make_union(BagOfWordsVectorizer(), NgramVectorizer(ngram_range=(2, 2)),
    ...                       NgramVectorizer(unit="char"), TfidfVectorizer())
    >>> make_pipeline(SegmentTransformer(), features).fit_transform(["天气很好", "天气不好"]).shape
    (2, 16)
    """

    segmenter: SegmenterLike = "jieba"
    fold_width: bool = True
    n_jobs: int | None = None

    def fit(self, documents: Documents, y: object = None) -> Self:  # noqa: ARG002
        """Check the parameters; nothing is learned, and the documents are not read.

        Parameters
        ----------
        documents : ignored
        y : ignored

        Returns
        -------
        self
        """
        as_segmenter(self.segmenter)
        check_bool(self.fold_width, "fold_width")
        resolve_n_jobs(self.n_jobs)
        return self

    def fit_transform(self, documents: Documents, y: object = None) -> list[list[str]]:
        """Cut the documents; as ``transform``.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : ignored

        Returns
        -------
        list of list of str
        """
        return self.fit(documents, y).transform(documents)

    def transform(self, documents: Documents) -> list[list[str]]:
        """Cut documents.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        list of list of str
            The tokens of each document, as they stand in the text.

        Raises
        ------
        InvalidInputError
            For documents that cannot be used (a lone string, a missing value).
        """
        normalization = Normalization(check_bool(self.fold_width, "fold_width"), lowercase=False)
        segmenter = as_segmenter(self.segmenter)
        return list(cut_documents(documents, segmenter, normalization, n_jobs=self.n_jobs))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:  # noqa: ARG002
        """Return ``["tokens"]``, so that a pipeline can ask the steps behind for theirs.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects, shape (1,)
        """
        return np.array(["tokens"], dtype=object)

    def set_output(self, *, transform: str | None = None) -> Self:  # noqa: ARG002
        """Do nothing: token lists stay lists, whatever the steps behind in a pipeline give.

        Parameters
        ----------
        transform : ignored

        Returns
        -------
        self
        """
        return self

    def __sklearn_is_fitted__(self) -> bool:
        """Tell that it is always ready."""
        return True

    def __sklearn_tags__(self) -> Any:
        """Say that documents come in, and that no fit is needed."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.requires_fit = False
        return tags
