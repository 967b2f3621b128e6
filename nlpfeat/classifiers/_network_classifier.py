"""What the classifiers that are networks share: fitting, predicting, and what they keep."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from nlpfeat._typing import Float64Array
from nlpfeat.classifiers._kept_networks import check_extra, network_and_device
from nlpfeat.classifiers._learned_priors import LearnedPrior
from nlpfeat.classifiers._reading import READ_PARAMETERS, Reading
from nlpfeat.classifiers._settings import training_settings
from nlpfeat.features.classes import check_classes
from nlpfeat.features.document_reader import DocumentReader
from nlpfeat.features.random_states import check_seed
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.prior import Prior
from nlpfeat.text.batches import Documents
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from nlpfeat.classifiers._architecture import Architecture
    from nlpfeat.classifiers._batching import BatchMaker
    from nlpfeat.classifiers._fitting import Learned


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkClassifier(ClassifierMixin, DocumentReader):  # type: ignore[misc]
    """Base of the classifiers of documents that are networks.

    A subclass says what its network is made of: the parameters of its own, ``_network_parts`` and
    ``_architecture``. What the parameters here mean is told in ``AttentionClassifier``.
    """

    unit: str = "char"
    d_model: int = 128
    dropout: float = 0.4
    token_dropout: float = 0.2
    learning_rate: float = 1.5e-3
    weight_decay: float = 0.01
    warmup: float = 0.1
    label_smoothing: float | None = None
    averaging: float | None = 0.1
    batch_size: int = 64
    max_epochs: int = 8
    patience: int | None = None
    validation_fraction: float = 0.0
    calibration_fraction: float | None = None
    class_weight: Mapping[Any, float] | str | None = None
    min_df: float = 2
    max_length: int = 256
    device: str = "auto"
    random_state: Any = None
    verbose: bool = False
    keep_punctuation: bool = True

    @abstractmethod
    def _architecture(self) -> "Architecture":
        """Return the kind of its network; torch is loaded then."""

    @abstractmethod
    def _network_parts(self) -> dict[str, Any]:
        """Return the parameters of its network, checked, as a flat dict of plain values."""

    def _checked_priors(self) -> list[Prior]:
        """Return the priors that are to be fitted."""
        return []

    def _learned_priors(self) -> list[LearnedPrior]:
        """Return the priors with what they have learned."""
        return []

    def fit(self, documents: Documents, y: Any) -> Self:
        """Learn from documents and their classes.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
        y : array-like of shape (n_documents,)
            The class of each document.

        Returns
        -------
        self

        Raises
        ------
        MissingDependencyError
            Without the extra ``attention``.
        InvalidParameterError
            For a parameter that cannot be, a device that is not there, and when the memory does
            not suffice.
        InvalidInputError
            For documents that cannot be used or are all empty, and for classes that are missing,
            not one a document, or fewer than two.
        """
        check_extra(type(self).__name__)
        from nlpfeat.classifiers._fitting import Task, learn

        priors = self._checked_priors()
        read = {name: getattr(self, name) for name in READ_PARAMETERS}
        task = Task(
            architecture=self._architecture(),
            reading=Reading.of(read, self.stop_words, self.n_jobs),
            parts=self._network_parts(),
            training=training_settings(self, priors),
            priors=priors,
            class_weight=self.class_weight,
            min_df=self.min_df,
            device=self.device,
            verbose=self.verbose,
            seed=check_seed(self.random_state),
        )
        learned = learn(documents, check_classes(self, y, y), task)
        self.stop_words_ = task.reading.stop_words
        self._read: dict[str, Any] = read
        self._keep(learned)
        return self

    def predict(self, documents: Documents) -> NDArray[Any]:
        """Return the class of each document.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        ndarray of shape (n_documents,)
            The most probable class; the first of equals.

        Raises
        ------
        InvalidInputError
            For documents that cannot be used.
        """
        places = self.predict_proba(documents).argmax(axis=1)
        return np.asarray(self.classes_[places])

    def predict_proba(self, documents: Documents) -> Float64Array:
        """Return the probability of each class.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        ndarray of shape (n_documents, n_classes), float64
            In the order of ``classes_``; each row sums to 1.

        Raises
        ------
        InvalidInputError
            For documents that cannot be used.
        """
        network, device = network_and_device(self)
        from nlpfeat.classifiers._predicting import probabilities

        read = self._reading().read(documents, self._vocabulary)
        return probabilities(network, self._batches(read), device, type(self).__name__)

    def predict_log_proba(self, documents: Documents) -> Float64Array:
        """Return the logarithm of the probability of each class.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists

        Returns
        -------
        ndarray of shape (n_documents, n_classes), float64
            As the logarithm of ``predict_proba``, but finite where a probability rounds to 0.

        Raises
        ------
        InvalidInputError
            For documents that cannot be used.
        """
        network, device = network_and_device(self)
        from nlpfeat.classifiers._predicting import log_probabilities

        read = self._reading().read(documents, self._vocabulary)
        return log_probabilities(network, self._batches(read), device, type(self).__name__)

    @property
    def vocabulary_(self) -> dict[str, int]:
        """The number of each token that is known."""
        check_is_fitted(self)
        return dict(self._vocabulary.ids)

    @property
    def n_parameters_(self) -> dict[str, int]:
        """How many numbers of the network are trained."""
        network, _ = network_and_device(self)
        return network.n_parameters()

    def __sklearn_is_fitted__(self) -> bool:
        """Tell whether a network was trained."""
        return hasattr(self, "_weights")

    def __getstate__(self) -> dict[str, Any]:
        """Return parameters and what was learned, without the times, which no two runs share."""
        state = dict(super().__getstate__())
        if "history_" in state:
            state["history_"] = [
                {name: value for name, value in epoch.items() if name != "seconds"}
                for epoch in state["history_"]
            ]
        return state

    def _keep(self, learned: "Learned") -> None:
        """Take over what was learned."""
        self.classes_ = learned.classes
        self.history_: list[dict[str, Any]] = [{**each} for each in learned.training.history]
        self.n_iter_ = len(self.history_)
        self.best_epoch_ = learned.training.best_epoch
        self._vocabulary: Vocabulary = learned.vocabulary
        self._parts: dict[str, Any] = learned.parts
        self._weights: bytes = learned.weights

    def _reading(self) -> Reading:
        """Return how documents are read: as ``fit`` read them, whatever was set since."""
        return Reading.of(self._read, self.stop_words_, self.n_jobs)

    def _batches(self, read: ReadDocuments) -> "BatchMaker":
        """Return documents as the network takes them, with what the priors say of them."""
        from nlpfeat.classifiers._batching import BatchMaker

        inputs = [prior.inputs(read) for prior in self._learned_priors()]
        return BatchMaker(read.tokens, len(self._vocabulary), priors=inputs)
