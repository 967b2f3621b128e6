"""Loops that Python is too slow for, compiled by numba."""

import logging
from collections.abc import Callable
from typing import Any

import numba

logger = logging.getLogger(__name__)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile at the first call, and keep the code for the next process where that is possible."""
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError as error:  # neither the package's folder nor the user's can be written
        logger.debug("compiled code cannot be kept and is made anew each time: %s", error)
        return numba.njit(nogil=True)(function)
