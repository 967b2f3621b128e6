"""Three ways to the same counts.

``reference`` is the definition in plain loops, ``scipy_shift`` needs no compiler and is quickest on
small corpora, ``numba_scan`` is quickest on large ones. Equal to the last count; a test holds it.
"""

import logging
from contextlib import suppress
from threading import Thread

from nlpfeat._names import lookup
from nlpfeat.counts._kernels.interface import Kernel

logger = logging.getLogger(__name__)

NUMBA_FROM_TOKENS = 1_000_000
"""Below this many tokens, with a window of 5, SciPy is done before numba is imported."""

_USUAL_REACH = 5


def check_kernel(name: str) -> None:
    """Raise when there is no kernel of that name."""
    lookup({"auto": None, **KERNELS}, name, "kernel")


def load_kernel(name: str, n_tokens: int, reach: int = _USUAL_REACH) -> Kernel:
    """Return the kernel of a name; ``"auto"`` chooses by size, and logs what it chose.

    Parameters
    ----------
    name : str
    n_tokens : int
    reach : int, default 5
        How far a pair reaches; SciPy goes over the text once for each distance.
    """
    if name == "auto":
        is_large = n_tokens * reach >= NUMBA_FROM_TOKENS * _USUAL_REACH
        name = "numba_scan" if is_large else "scipy_shift"
        logger.debug("counting %d tokens with the kernel %s", n_tokens, name)
    return lookup(KERNELS, name, "kernel (or 'auto')")()


class EarlyStart:
    """Loads numba beside other work, as soon as it is clear that it will be needed.

    That takes nearly half a second, most of it import. While other processes cut the text, this one
    has the time; alone it would gain nothing.

    Parameters
    ----------
    name : str
        The kernel that was asked for.
    n_jobs : int
        Processes that are at work.
    """

    def __init__(self, name: str, n_jobs: int) -> None:
        self._waiting = n_jobs > 1 and name in ("auto", "numba_scan")

    def on_tokens(self, n_tokens: int) -> None:
        """Start when the text is long enough; call it after each part of the text."""
        if self._waiting and n_tokens >= NUMBA_FROM_TOKENS:
            self._waiting = False
            Thread(target=_warm_up_numba, daemon=True).start()


def _warm_up_numba() -> None:
    from nlpfeat.counts._kernels import numba_scan

    # At its end the interpreter starts no more threads; any other fault comes again in the count.
    with suppress(RuntimeError):
        numba_scan.warm_up()


def _reference() -> Kernel:
    from nlpfeat.counts._kernels import reference

    return reference


def _scipy_shift() -> Kernel:
    from nlpfeat.counts._kernels import scipy_shift

    return scipy_shift


def _numba_scan() -> Kernel:
    from nlpfeat.counts._kernels import numba_scan

    return numba_scan


KERNELS = {"reference": _reference, "scipy_shift": _scipy_shift, "numba_scan": _numba_scan}
