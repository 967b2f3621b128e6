"""Where the nodes of a network stand."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_N_STEPS = 300
_FIRST_STEP = 0.12
_GRAVITY = 0.6


def network_layout(n_nodes: int, edges: Sequence[tuple[int, int]]) -> npt.NDArray[np.float64]:
    """Return places that put neighbors together and others apart, the same every time.

    Nodes repel one another and edges pull (Fruchterman and Reingold, 1991), from places on a spiral
    in the order of the nodes; a pull to the middle keeps parts without a common edge together.
    Every pair of nodes is looked at in every step: meant for some hundred nodes.

    Parameters
    ----------
    n_nodes : int
    edges : sequence of (int, int)
        Indices of both ends.

    Returns
    -------
    ndarray of float64, shape (n_nodes, 2)
        From -1 to 1.

    References
    ----------
    Fruchterman, T. and Reingold, E. (1991). Graph drawing by force-directed placement.

    Examples
    --------
    >>> places = network_layout(3, [(0, 1)])
    >>> near, far = np.hypot(*(places[0] - places[1])), np.hypot(*(places[0] - places[2]))
    >>> bool(near < far)
    True
    """
    numbers = np.arange(n_nodes)
    radius, angle = np.sqrt((numbers + 0.5) / max(n_nodes, 1)), numbers * _GOLDEN_ANGLE
    places = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    if n_nodes < 2:
        return np.zeros((n_nodes, 2))
    x, y = (np.array([edge[end] for edge in edges], dtype=np.intp) for end in (0, 1))
    distance = 1.0 / math.sqrt(n_nodes)  # at which an edge and repulsion hold the balance
    for step in range(_N_STEPS):
        force = _forces(places, x, y, distance)
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        places += force / length * np.minimum(length, _FIRST_STEP * (1 - step / _N_STEPS))
    return _scaled(places)


def _forces(
    places: npt.NDArray[np.float64],
    x: npt.NDArray[np.intp],
    y: npt.NDArray[np.intp],
    distance: float,
) -> npt.NDArray[np.float64]:
    apart = places[:, None, :] - places[None, :, :]
    squared = np.maximum((apart**2).sum(axis=2), 1e-6)
    force: npt.NDArray[np.float64] = (apart * (distance**2 / squared)[..., None]).sum(axis=1)
    along = places[x] - places[y]
    pull = along * (np.linalg.norm(along, axis=1, keepdims=True) / distance)
    np.subtract.at(force, x, pull)
    np.add.at(force, y, pull)
    return force - _GRAVITY * places


def _scaled(places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    low, high = places.min(axis=0), places.max(axis=0)
    scaled: npt.NDArray[np.float64] = 2 * (places - low) / np.maximum(high - low, 1e-9) - 1
    return scaled
