"""One message for every optional package that is missing."""

from nlpfeat.errors import MissingDependencyError


def missing_dependency(package: str, extra: str, purpose: str) -> MissingDependencyError:
    """Return the error that names the package, what it is for and how to install it.

    Examples
    --------
    >>> print(missing_dependency("pyarrow", "parquet", "writing .parquet"))
    writing .parquet needs the package pyarrow; install it with: pip install 'nlpfeat[parquet]'
    """
    return MissingDependencyError(
        f"{purpose} needs the package {package}; install it with: pip install 'nlpfeat[{extra}]'"
    )
