"""What bench_bridge.py reads and what it keeps."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from nlpfeat import Corpus, SegmentTransformer
from nlpfeat.io.atomic import atomic_output

Labels: TypeAlias = NDArray[np.int64]
Logs: TypeAlias = NDArray[np.float32]
Tokens: TypeAlias = list[list[str]]

SUBSETS = Path(__file__).with_name("headline_subsets.json")
ALL = 45_000


class Results:
    """Finished runs on disk. Several processes may add some to one file at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = path.with_suffix(".runs")
        self._lock = FileLock(path.with_suffix(".lock"))
        self.figures: dict[str, dict[str, Any]] = self._stored()

    def _stored(self) -> dict[str, dict[str, Any]]:
        return dict(json.loads(self._path.read_text("utf-8"))) if self._path.exists() else {}

    def add(self, key: str, figures: dict[str, Any], logs: Logs) -> None:
        """Keep a run: its predictions first, so that a run that is listed has them."""
        self._folder.mkdir(exist_ok=True)
        predicted = logs.argmax(axis=1).astype(np.uint8)
        with atomic_output(self._file(key)) as file:
            np.savez_compressed(file, predicted=predicted, logs=logs.astype(np.float16))
        with self._lock:  # what another process adds between reading and writing would be lost
            self.figures = self._stored() | {key: figures}
            text = json.dumps(self.figures, ensure_ascii=False, indent=1)
            with atomic_output(self._path) as file:
                file.write(text.encode())

    def predictions(self, key: str) -> tuple[NDArray[np.uint8], NDArray[np.float64] | None]:
        """Return the class of each dev text, and the log-probabilities to three digits.

        The records that come with nlpfeat have no log-probabilities, which take forty times as much
        room: None.
        """
        with np.load(self._file(key)) as kept:
            logs = kept["logs"].astype(np.float64) if "logs" in kept else None
            return kept["predicted"], logs

    def _file(self, key: str) -> Path:
        return self._folder / f"{sha256(key.encode()).hexdigest()[:20]}.npz"


@dataclass(frozen=True)
class Data:
    """The two files, as lines; the dev part without texts that stand in the training file."""

    train: tuple[list[str], Labels]
    dev: tuple[list[str], Labels]
    places: dict[int, list[int]]

    @classmethod
    def read(cls, train: str, dev: str) -> "Data":
        """Read both files; the training file must be the one that the subsets were drawn from."""
        subsets = json.loads(SUBSETS.read_text("utf-8"))
        if sha256(Path(train).read_bytes()).hexdigest() != subsets["sha256"]:
            raise SystemExit(f"{train} is not the file that {SUBSETS.name} was drawn from.")
        texts, labels = _read(train)
        dev_texts, dev_labels = _read(dev)
        seen = set(texts)
        new = [place for place, text in enumerate(dev_texts) if text not in seen]
        places = {int(size): each for size, each in subsets["indices"].items()}
        places[ALL] = list(range(len(texts)))
        kept = [dev_texts[place] for place in new]
        return cls((texts, labels), (kept, dev_labels[new]), places)


def _read(path: str) -> tuple[list[str], Labels]:
    documents = list(Corpus(path, text_column=1, label_column=2, encoding="utf-8").documents())
    return [each.text for each in documents], np.array([int(str(each.label)) for each in documents])


def subset(labels: Labels, size: int, seed: int = 0) -> list[int]:
    """Draw documents, each class by its share: how headline_subsets.json was made."""
    random = np.random.default_rng(seed)
    classes, counts = np.unique(labels, return_counts=True)
    order = [random.permutation(np.flatnonzero(labels == each)) for each in classes]
    shares = counts * size / len(labels)
    taken = np.floor(shares).astype(int)
    taken[np.argsort(taken - shares, kind="stable")[: size - taken.sum()]] += 1
    return sorted(np.concatenate([each[:n] for each, n in zip(order, taken)]).tolist())


def cut(texts: list[str]) -> Tokens:
    """Return the tokens of each text."""
    return SegmentTransformer().transform(texts)
