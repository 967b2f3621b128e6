"""Lists of words in files, one a line."""

from os import PathLike, fspath

from nlpfeat.io.files import iter_line_batches


def read_words(path: str | PathLike[str]) -> list[str]:
    r"""Return the words of a file with one word a line, in any encoding; blank lines do not count.

    Raises
    ------
    InvalidInputError
        When the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
    ...     n_characters = file.write("云原生底座\n\n 型号A/B\n")
    ...     file.flush()
    ...     read_words(file.name)
    ['云原生底座', '型号A/B']
    """
    lines = (line.strip() for batch in iter_line_batches(fspath(path)) for line in batch)
    return [line for line in lines if line]
