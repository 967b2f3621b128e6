"""What takes part in a comparison: an estimator over token lists, with a name and a grid."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nlpfeat._names import lookup
from nlpfeat.compare.settings import described, drawn_settings
from nlpfeat.errors import InvalidParameterError

FAMILIES: Mapping[str, str] = {
    "classical": "counts, and what is computed from them, with a linear model",
    "attention": "attention, trained from nothing on the same documents",
    "prior": "attention with a classical feature as prior",
    "placebo": "attention with a prior that speaks of the wrong words or documents",
    "network": "other networks, trained from nothing on the same documents",
    "given": "a model that was given as an object",
}


@dataclass(frozen=True, kw_only=True)
class ComparedModel:
    """A model as a comparison knows it.

    Parameters
    ----------
    name : str
        What the report calls it.
    family : str, default "given"
        A key of ``FAMILIES``.
    description : str, default ""
        One line.
    estimator : object
        Unfitted; ``fit(documents, labels)`` and ``predict(documents)`` take token lists. It is
        copied for every run, and its ``random_state`` is set from the seed.
    grid : mapping of str to sequence, default {}
        Values of its parameters that may be tried; see ``Protocol.n_trials``.
    recipes : mapping of int to mapping, default {}
        Other defaults where there are at most so many training documents.
    sees : str or None, default None
        Which ceiling of a phenomenon holds for its features, such as "bag"; None for none.
    on_phenomena : mapping of str to object, default {}
        Parameters for the texts of phenomena, in place of those of the estimator and the recipes: a
        few hundred short texts of a grammar ask for another training than a corpus does. Those of
        ``MODELS``, of all families, were chosen on texts that no comparison draws.

    Examples
    --------
    >>> from sklearn.naive_bayes import MultinomialNB
    >>> from sklearn.pipeline import make_pipeline
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> model = ComparedModel(
    ...     name="bayes", estimator=make_pipeline(BagOfWordsVectorizer(), MultinomialNB()),
    ...     grid={"multinomialnb__alpha": (0.1, 0.3, 1.0)})
    >>> model.n_settings
    3
    """

    name: str
    family: str = "given"
    description: str = ""
    estimator: Any
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    recipes: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    sees: str | None = None
    on_phenomena: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise InvalidParameterError(
                f"ComparedModel.name must be a text that is not blank. Got {self.name!r}."
            )
        lookup(FAMILIES, self.family, "ComparedModel.family")
        estimator = self.estimator
        is_model = all(callable(getattr(estimator, name, None)) for name in ("fit", "predict"))
        if isinstance(estimator, type) or not is_model:
            raise InvalidParameterError(
                f"The estimator of the model {self.name!r} must be an object with fit(documents, "
                "labels) and predict(documents), such as make_pipeline(BagOfWordsVectorizer(), "
                f"LinearSVC()). Got {estimator!r}."
            )

    @property
    def n_settings(self) -> int:
        """How many settings there are to try."""
        n_settings = 1
        for values in self.grid.values():
            n_settings *= len(values)
        return n_settings

    @property
    def needs_torch(self) -> bool:
        """Whether a network is trained."""
        return any(_is_network(part) for part in _parts(self.estimator))

    @property
    def settings(self) -> str:
        """All that its results on a corpus depend on, as text that is the same in every process."""
        recipes = f", recipes={described(self.recipes)}" if self.recipes else ""
        return f"{described(self.estimator)}, grid={described(self.grid)}{recipes}"

    @property
    def all_settings(self) -> str:
        """The same, with what it takes in their place on phenomena."""
        changed = f", on phenomena={described(self.on_phenomena)}" if self.on_phenomena else ""
        return f"{self.settings}{changed}"

    def for_phenomena(self) -> "ComparedModel":
        """Return the model as it is tried on phenomena.

        Returns
        -------
        ComparedModel
            With other parameters, and without recipes and grid: there is one setting.

        Examples
        --------
        >>> from sklearn.svm import LinearSVC
        >>> model = ComparedModel(name="svm", estimator=LinearSVC(), on_phenomena={"C": 10.0})
        >>> model.for_phenomena().estimator, model.estimator
        (LinearSVC(C=10.0), LinearSVC())
        """
        from sklearn.base import clone

        estimator = clone(self.estimator, safe=False)
        if self.on_phenomena:
            estimator.set_params(**self.on_phenomena)
        return replace(self, estimator=estimator, grid={}, recipes={}, on_phenomena={})

    def estimator_for(self, n_documents: int) -> Any:
        """Return the estimator with the defaults for so many training documents, unfitted.

        Parameters
        ----------
        n_documents : int

        Returns
        -------
        object
        """
        from sklearn.base import clone

        estimator = clone(self.estimator, safe=False)
        for most in sorted(self.recipes):
            if n_documents <= most:
                return estimator.set_params(**self.recipes[most])
        return estimator

    def check(self) -> None:
        """Make sure that grid, recipes and what is for phenomena name parameters.

        Raises
        ------
        InvalidParameterError
            For one that the estimator does not have.
        """
        import numpy as np

        drawn_settings(self.estimator, self.grid, 1, np.random.default_rng(0))
        for recipe in (*self.recipes.values(), self.on_phenomena):
            drawn_settings(
                self.estimator, {name: (value,) for name, value in recipe.items()}, 1,
                np.random.default_rng(0),
            )  # fmt: skip


def _parts(estimator: Any) -> Iterator[Any]:
    yield estimator
    parameters: Callable[..., Mapping[str, Any]] | None = getattr(estimator, "get_params", None)
    if parameters is not None and not isinstance(estimator, type):
        yield from parameters(deep=True).values()


def _is_network(part: Any) -> bool:
    from nlpfeat.classifiers._network_classifier import NetworkClassifier

    return isinstance(part, NetworkClassifier)
