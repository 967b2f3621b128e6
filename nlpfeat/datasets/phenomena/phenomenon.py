"""What a phenomenon is: a grammar that writes labeled texts, and what features can see in them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nlpfeat._names import lookup

if TYPE_CHECKING:
    from nlpfeat.datasets.phenomena.sampling import Draw

#: The families of features that every phenomenon has a ceiling for, and what they are.
FAMILIES = {
    "bag": "counts of words",
    "positional": "counts of words, each place counted from the beginning on its own",
    "bigrams": "counts of words and of adjacent pairs",
    "trigrams": "counts of words, adjacent pairs and adjacent triples",
    "attention": "all tokens with their places, and any function of them",
}

#: Families of features that see what another one sees, unless the phenomenon says otherwise.
SEES_AS = {"tfidf": "bag", "surprisal": "bag", "topics": "bag", "vectors": "bag"}

#: Why a ceiling of topics is 1 where that of their bag is one half and no text has a twin.
TOPICS_THAT_MEET = "two words of one topic weigh more than one of each: topics can be such"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The best that one family of features can do.

    Attributes
    ----------
    accuracy : float
        The highest accuracy on the test part that a linear model of these features, fitted to the
        training part by a convex loss, can be expected to reach; for ``"attention"`` that of a
        perfect reader.
    reason : str
        Why, in one sentence.
    """

    accuracy: float
    reason: str


@dataclass(frozen=True, slots=True)
class Item:
    """One text that a grammar wrote.

    Attributes
    ----------
    text : str
        Plain Chinese, without spaces.
    label : str
    tokens : tuple of str
        The words and punctuation marks that the grammar put together; joined they are the text.
    cue : tuple of str
        The tokens that decide the label, in the order of the text.

    Examples
    --------
    >>> write("这家 店 不 贵 ， 菜 很 好吃 。", "好评", "好吃")
    Item(text='这家店不贵，菜很好吃。', label='好评',
         tokens=('这家', '店', '不', '贵', '，', '菜', '很', '好吃', '。'), cue=('好吃',))
    """

    text: str
    label: str
    tokens: tuple[str, ...]
    cue: tuple[str, ...]


#: Writes one group of texts: as many of each label as of any other.
Grammar: TypeAlias = "Callable[[Draw], tuple[Item, ...]]"


@dataclass(frozen=True, kw_only=True, slots=True)
class Phenomenon:
    """One thing that language does, isolated in labeled texts.

    The grammar writes texts in groups that are never parted between training and test: within a
    group only that differs which decides the label, and each label comes equally often.

    Where the rows of a family of features are the same under both labels of a group (twins), every
    model that sees nothing else is right for exactly one half of the group, and so of the test
    part. Where only the sums of the rows are the same (an exclusive or), one half is what a linear
    model can be expected to reach: trained on some of the texts, or to the rounding of its numbers,
    it lies above or below by chance, so a measured accuracy has to be held against its interval.

    Attributes
    ----------
    name : str
    title : str
        A few words of Chinese.
    description : str
        What the texts are and what decides their label.
    asks : str
        What a model must see.
    labels : tuple of two str
    ceilings : mapping of str to Ceiling
        One for each of `FAMILIES`, and for those of `SEES_AS` that see something else than the
        family they are listed with.
    grammar : callable
        Takes a `Draw`, and returns one group.
    group_size : int
        How many texts a group has.
    """

    name: str
    title: str
    description: str
    asks: str
    labels: tuple[str, str]
    ceilings: Mapping[str, Ceiling]
    grammar: Grammar
    group_size: int = 2

    def ceiling(self, family: str) -> Ceiling:
        """Return the ceiling of a family of features.

        Parameters
        ----------
        family : str
            A name from `FAMILIES` or `SEES_AS`.

        Raises
        ------
        InvalidParameterError
            For a family that there is not; the message lists those that there are.

        Examples
        --------
        >>> from nlpfeat.datasets.phenomena import PHENOMENA
        >>> PHENOMENA["order"].ceiling("bag").accuracy
        0.5
        >>> PHENOMENA["order"].ceiling("tfidf") == PHENOMENA["order"].ceiling("bag")
        True
        """
        if family in SEES_AS and family not in self.ceilings:
            family = SEES_AS[family]
        return lookup(self.ceilings, family, "family")


def words(spaced: str) -> tuple[str, ...]:
    """Return the words of a string that are parted by spaces.

    Examples
    --------
    >>> words("面条 饺子")
    ('面条', '饺子')
    """
    return tuple(spaced.split())


def write(spaced: str, label: str, *cue: str) -> Item:
    """Return the text of words that are parted by spaces.

    Parameters
    ----------
    spaced : str
        Words and punctuation marks, parted by spaces.
    label : str
    *cue : str
        The tokens that decide the label.

    Returns
    -------
    Item

    Examples
    --------
    >>> write("菜 很 好吃 。", "好评", "好吃").text
    '菜很好吃。'
    """
    tokens = words(spaced)
    return Item("".join(tokens), label, tokens, cue)
