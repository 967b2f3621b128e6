"""Warnings that point at the line of the user's program, whatever calls lie between."""

import os
import sys
import warnings

import joblib
import sklearn

import nlpfeat

_FILES = (nlpfeat.__file__, sklearn.__file__, joblib.__file__)
_LIBRARIES = tuple(os.path.dirname(file) + os.sep for file in _FILES)


def warn_user(message: str) -> None:
    """Warn, and name the line that called nlpfeat, itself or through scikit-learn.

    Parameters
    ----------
    message : str
        What is odd and what to do about it.
    """
    frame = sys._getframe(1)
    level = 2  # 1 is the line below
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_LIBRARIES):
        frame = frame.f_back
        level += 1
    warnings.warn(message, UserWarning, stacklevel=level)
