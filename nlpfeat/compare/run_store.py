"""Finished runs on disk: what is there is never done again."""

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from nlpfeat._typing import Float32Array
from nlpfeat.compare.findings import Scalar
from nlpfeat.errors import OutputError
from nlpfeat.io.atomic import atomic_output

logger = logging.getLogger(__name__)


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

    def load(self, key: str) -> RunResult | None:
        """Return a finished run, or None.

        A file that is not whole is told of, and the run is done again.
        """
        figures, arrays = self._files(key)
        if not figures.exists():
            return None
        try:
            kept = json.loads(figures.read_text("utf-8"))
            with arrays.open("rb") as stream, np.load(stream) as file:
                logs = file["log_probabilities"].astype(np.float32)
            trials = [Trial(**trial) for trial in kept.pop("trials")]
            return RunResult(log_probabilities=logs, trials=trials, **kept)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, BadZipFile) as error:
            logger.warning("%s cannot be read and is done again: %s", figures, error)
            return None

    def save(self, key: str, result: RunResult) -> None:
        """Keep a run: its arrays first, so that a run that is listed has them."""
        figures, arrays = self._files(key)
        with atomic_output(arrays) as file:
            np.savez_compressed(file, log_probabilities=result.log_probabilities)
        kept: Mapping[str, Any] = {
            "temperature": result.temperature,
            "trials": [asdict(trial) for trial in result.trials],
            "chosen": result.chosen,
            "costs": result.costs,
            "warnings": result.warnings,
            "explained": result.explained,
        }
        with atomic_output(figures) as file:
            file.write(json.dumps(kept, ensure_ascii=False, indent=1).encode())

    def _files(self, key: str) -> tuple[Path, Path]:
        folder = self.folder / "runs"
        return folder / f"{key}.json", folder / f"{key}.npz"
