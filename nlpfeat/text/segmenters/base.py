"""What a segmenter is."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.joined import join_tokens
from nlpfeat.text.segmenters.found_names import UNIDENTIFIED, found_name, is_bare


class Segmenter(ABC):
    """Cuts a text into tokens.

    A segmenter belongs to its owner (no global state), keeps its answer for the same text, and
    travels between processes as its settings.
    """

    def __repr__(self) -> str:
        """Show the class; settings that change tokens belong here too."""
        return f"{type(self).__name__}()"

    @property
    def identity(self) -> str:
        """What tells this segmenter from those that may cut in another way, in any process.

        `UNIDENTIFIED` stands in it where nothing does: for an object with settings that its
        ``__repr__`` does not show. What it cuts may then be taken for nothing else.
        """
        kind = type(self)
        if kind.__module__.startswith("nlpfeat."):
            return repr(self)
        name = found_name(kind)
        if kind.__repr__ is not Segmenter.__repr__:
            return f"{name}: {self!r}"
        return f"{name}()" if is_bare(self) else f"{UNIDENTIFIED} {name}()"

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

    @property
    def separators(self) -> re.Pattern[str] | None:
        """What matches a character behind which no token can go on, or None where none is known.

        Very long lines are taken apart there before they are cut.
        """
        return None

    def load(self) -> None:  # noqa: B027 - nothing to load is a fine answer
        """Load what the first use would load, such as a dictionary."""

    def release(self) -> None:  # noqa: B027 - nothing to give back is a fine answer
        """Give back what can be loaded again, such as a dictionary; the next use loads it."""

    def cut_batch(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of several texts; blank pieces may stand among them.

        Who calls this drops the blank pieces where tokens meet the vocabulary, once a distinct
        piece instead of once a token.
        """
        return [self.segment(text) for text in texts]

    def cut_joined(self, texts: Sequence[str]) -> list[str]:
        """Return what :meth:`cut_batch` does, with the pieces of each text joined.

        Counting takes this way; see :mod:`nlpfeat.text.joined`.

        Parameters
        ----------
        texts : sequence of str
            Without the noncharacters that join.
        """
        return join_tokens(self.cut_batch(texts))


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

    def __repr__(self) -> str:
        """Show the function by its name, the same in every process."""
        return f"FunctionSegmenter({found_name(self.function)})"

    def segment(self, text: str) -> list[str]:
        """Return what the function returns, as a list.

        Raises
        ------
        InvalidParameterError
            When that is no list of strings.
        """
        tokens: object = self.function(text)
        if isinstance(tokens, Iterable) and not isinstance(tokens, str | Mapping | Set):
            tokens = list(tokens)
            if all(isinstance(token, str) for token in tokens):
                return tokens
        raise InvalidParameterError(
            "segmenter must give a list of strings for every text. "
            f"Got {tokens!r} for the text {text[:20]!r}."
        )
