"""Finished runs on disk: what is there is never done again."""

import json
import logging
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import logsumexp

from nlpfeat._typing import Float32Array
from nlpfeat.compare.findings import Scalar
from nlpfeat.errors import InvalidInputError, OutputError
from nlpfeat.io.matrices import load_arrays, save_arrays

logger = logging.getLogger(__name__)

_ROUNDING = 1e-3
"""How far the log of the sum of the probabilities of a document may be from 0, in float32."""


@dataclass(frozen=True)
class Trial:
    """A setting that was tried on the dev part.

    Parameters
    ----------
    setting : dict of str to Scalar
        What differs from the default one.
    accuracy, log_loss : float or None
        On the dev part, the loss after temperature scaling; None where the fit failed.
    error : str
        "" where it did not.
    """

    setting: dict[str, Scalar]
    accuracy: float | None
    log_loss: float | None
    error: str = ""


@dataclass(frozen=True, eq=False)
class RunResult:
    """What a run leaves.

    Parameters
    ----------
    log_probabilities : ndarray of float32, shape (N, C)
        Of the test documents, before temperature scaling.
    temperature : float
        Learned on the dev part.
    trials : list of Trial
    chosen : int
        The trial whose model was tested.
    costs : dict of str to float
        Of ``COSTS``; none where they are not measured.
    warnings : list of str
        What the model warned of, each once.
    explained : dict of str to object
        What it goes by: a `RunExplanation` as JSON holds it; empty where nothing was asked.
    """

    log_probabilities: Float32Array
    temperature: float
    trials: list[Trial]
    chosen: int
    costs: dict[str, float] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    explained: dict[str, Any] = field(default_factory=dict)

    @property
    def dev_accuracy(self) -> float:
        """Accuracy of the chosen setting on the dev part."""
        accuracy = self.trials[self.chosen].accuracy
        return float("nan") if accuracy is None else accuracy


class RunStore:
    """A folder of finished runs, each under the hash of all that it depends on.

    Parameters
    ----------
    folder : path
        Made where it is not there; the one above it must be.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            (folder / "runs").mkdir(parents=True, exist_ok=True)
            (folder / "tokens").mkdir(exist_ok=True)
            (folder / "explained").mkdir(exist_ok=True)
        except OSError as error:
            raise OutputError(
                f"cannot keep runs in {str(folder)!r}: {error.strerror}. Choose another folder."
            ) from error

    def tokens(self, key: str) -> Path:
        """Return where documents are kept."""
        return self.folder / "tokens" / f"{key}.npz"

    def explained_texts(self, key: str) -> Path:
        """Return where the documents that are explained are kept."""
        return self.folder / "explained" / f"{key}.json"

    def load(self, key: str, shape: tuple[int, int]) -> RunResult | None:
        """Return a finished run, or None.

        A file that is damaged, or holds what no run leaves, is told of, and the run is done again.

        Parameters
        ----------
        key : str
        shape : (int, int)
            How many test documents and classes it has.
        """
        path = self._file(key)
        if not path.exists():
            return None
        try:
            arrays, texts, _ = load_arrays(path)
            kept = json.loads(texts["figures"][0])
            trials = [Trial(**trial) for trial in kept.pop("trials")]
            result = RunResult(arrays["log_probabilities"], trials=trials, **kept)
            _check(result, shape)
        except (InvalidInputError, ValueError, TypeError, LookupError, AttributeError) as error:
            logger.warning("%s cannot be used, and its run is done again: %s", path, error)
            return None
        return result

    def save(self, key: str, result: RunResult) -> None:
        """Keep a run, whole or not at all."""
        kept = {**vars(result), "trials": [asdict(trial) for trial in result.trials]}
        logs = kept.pop("log_probabilities")
        # As text: among the figures of an explanation are some that are no number.
        figures = json.dumps(kept)
        save_arrays(self._file(key), {"log_probabilities": logs}, {"figures": [figures]}, {})

    def _file(self, key: str) -> Path:
        return self.folder / "runs" / f"{key}.npz"


def _check(result: RunResult, shape: tuple[int, int]) -> None:
    """Raise ValueError for what no run leaves."""
    logs = result.log_probabilities
    if logs.shape != shape or logs.dtype != np.float32:
        raise ValueError(
            f"log_probabilities must be float32 of shape {shape}. Got {logs.dtype}, {logs.shape}."
        )
    if not (np.isfinite(logs).all() and np.abs(logsumexp(logs, axis=1)).max() < _ROUNDING):
        raise ValueError("the probabilities of each document must be finite and sum to 1.")
    if type(result.chosen) is not int or not 0 <= result.chosen < len(result.trials):
        raise ValueError(
            f"chosen must be one of {len(result.trials)} trials, from 0. Got {result.chosen!r}."
        )
    if not 0.0 <= result.dev_accuracy <= 1.0:
        raise ValueError(f"the chosen trial must have an accuracy. Got {result.dev_accuracy!r}.")
    numbers = [result.temperature, *result.costs.values()]
    if not all(type(each) is float and np.isfinite(each) for each in numbers):
        raise ValueError(f"temperature and costs must be finite numbers. Got {numbers!r}.")
    if result.temperature <= 0.0:
        raise ValueError(f"temperature must be above 0. Got {result.temperature!r}.")
    if not isinstance(result.explained, dict) or not all(
        isinstance(each, str) for each in result.warnings
    ):
        raise ValueError("explained must be a mapping, and warnings must be texts.")
