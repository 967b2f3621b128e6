"""What a segmenter is."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence


class Segmenter(ABC):
    """Cuts a text into tokens.

    A segmenter belongs to its owner (no global state), keeps its answer for the same text, and
    travels between processes as its settings.
    """

    @abstractmethod
    def segment(self, text: str) -> list[str]:
        """Return the tokens of one text, in order, without blanks.

        Parameters
        ----------
        text : str
            Any text; an empty one gives an empty list.

        Returns
        -------
        list of str
            Surface forms. White space, control and format characters are no tokens.
        """

    def cut_batch(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of several texts; blank pieces may stand among them.

        This is the way that counting goes: it drops blank pieces where tokens meet the
        vocabulary, once a distinct piece instead of once a token.
        """
        return [self.segment(text) for text in texts]


class FunctionSegmenter(Segmenter):
    """Wraps a function ``str -> list[str]`` or an object that has ``segment``.

    Parameters
    ----------
    function : callable
        Must be picklable when more than one process is used.

    Examples
    --------
    >>> FunctionSegmenter(lambda text: text.split("/")).segment("今天/天气")
    ['今天', '天气']
    """

    def __init__(self, function: Callable[[str], list[str]]) -> None:
        self.function = function

    def segment(self, text: str) -> list[str]:
        """Return what the function returns, as a list."""
        return list(self.function(text))
