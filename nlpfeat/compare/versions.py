"""The versions that figures depend on."""

import platform
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import nlpfeat

_PACKAGES = ("numpy", "scipy", "scikit-learn", "jieba", "rjieba", "gensim", "torch")


@cache
def versions() -> dict[str, str]:
    """Return the version of Python, of nlpfeat and of each package that features are made with.

    Returns
    -------
    dict of str to str
        Without packages that are not installed. nlpfeat has the hash of its code behind a version
        that is still being worked on, since that code changes while the version stays.
    """
    found = {"python": platform.python_version(), "nlpfeat": _own_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _own_version() -> str:
    if "dev" not in nlpfeat.__version__:
        return nlpfeat.__version__
    folder = Path(nlpfeat.__file__).parent
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return f"{nlpfeat.__version__}+{digest.hexdigest()[:12]}"
