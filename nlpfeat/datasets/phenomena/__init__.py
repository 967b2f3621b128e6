"""Phenomena of Chinese, each isolated in labeled texts that a grammar writes from a seed."""

from typing import TYPE_CHECKING, NamedTuple

from nlpfeat._names import lookup
from nlpfeat.datasets.phenomena.absence import ABSENCE
from nlpfeat.datasets.phenomena.counting_three_five import COUNTING_THREE_FIVE
from nlpfeat.datasets.phenomena.distant_pair import DISTANT_PAIR
from nlpfeat.datasets.phenomena.far_modifier import FAR_MODIFIER
from nlpfeat.datasets.phenomena.frequency import FREQUENCY
from nlpfeat.datasets.phenomena.idiom import IDIOM
from nlpfeat.datasets.phenomena.keyword import KEYWORD
from nlpfeat.datasets.phenomena.negation import NEGATION
from nlpfeat.datasets.phenomena.omitted_argument import OMITTED_ARGUMENT
from nlpfeat.datasets.phenomena.order import ORDER
from nlpfeat.datasets.phenomena.phenomenon import Item, Phenomenon
from nlpfeat.datasets.phenomena.position import POSITION
from nlpfeat.datasets.phenomena.quantifier import QUANTIFIER
from nlpfeat.datasets.phenomena.repeated_word import REPEATED_WORD
from nlpfeat.datasets.phenomena.sampling import draw_parts
from nlpfeat.datasets.phenomena.scope import SCOPE
from nlpfeat.datasets.phenomena.synonyms import SYNONYMS
from nlpfeat.datasets.phenomena.topic_sense import TOPIC_SENSE
from nlpfeat.text.corpus import Corpus

if TYPE_CHECKING:
    from nlpfeat._typing import Int64Array

PHENOMENA: dict[str, Phenomenon] = {
    each.name: each
    for each in (
        KEYWORD,
        FREQUENCY,
        NEGATION,
        POSITION,
        ORDER,
        ABSENCE,
        DISTANT_PAIR,
        FAR_MODIFIER,
        SCOPE,
        TOPIC_SENSE,
        SYNONYMS,
        COUNTING_THREE_FIVE,
        OMITTED_ARGUMENT,
        IDIOM,
        QUANTIFIER,
        REPEATED_WORD,
    )
}


class PhenomenonParts(NamedTuple):
    """The texts that a grammar wrote, for training and for test."""

    #: The texts for training, with their labels.
    train: Corpus
    #: The texts for test: other ones, and with other words where the phenomenon asks for it.
    test: Corpus
    #: The texts for training with their tokens and with what decides their label.
    train_items: tuple[Item, ...]
    #: The same of the texts for test.
    test_items: tuple[Item, ...]
    #: What the texts show.
    phenomenon: Phenomenon
    #: The number of the group of each text for training, from 0; int64, shape (n_train,). Within a
    #: group only that differs which decides the label: a fold that parts one is no fair test.
    train_groups: "Int64Array"
    #: The same of the texts for test, from 0 again.
    test_groups: "Int64Array"


def make_phenomenon(
    name: str, n_train: int = 800, n_test: int = 400, random_state: int = 0
) -> PhenomenonParts:
    """Return texts that isolate one phenomenon, for training and for test.

    Each label comes equally often, no text comes twice, and the test part depends on ``n_test``
    and ``random_state`` alone.

    Parameters
    ----------
    name : str
        One of ``nlpfeat.datasets.phenomena.PHENOMENA``.
    n_train, n_test : int
        How many texts; multiples of the phenomenon's ``group_size``: 2, 4 or 8.
    random_state : int
        The seed, 0 or more: the same gives the same texts.

    Returns
    -------
    PhenomenonParts

    Raises
    ------
    InvalidParameterError
        For a name that there is not (the message lists those that there are), numbers that are
        no such multiples, and more texts than the grammar can make.

    Examples
    --------
    >>> parts = make_phenomenon("order", n_train=8, n_test=4)
    >>> len(list(parts.train)), sorted(set(parts.train.labels()))
    (8, ['由上而下', '由下而上'])
    >>> for text, group in zip(parts.test, parts.test_groups):
    ...     print(group, text)
    1 国庆经理埋怨了秘书，工人上周修理挂钟。
    1 国庆秘书埋怨了经理，工人上周修理挂钟。
    0 邻居和班长聊起烧饼，中午老师埋怨了学生，姨妈托店主捎来白菜。
    0 邻居和班长聊起烧饼，中午学生埋怨了老师，姨妈托店主捎来白菜。
    """
    phenomenon = lookup(PHENOMENA, name, "name")
    train, test = draw_parts(phenomenon, n_train, n_test, random_state)
    return PhenomenonParts(
        _corpus(train.items, f"{name}.train"),
        _corpus(test.items, f"{name}.test"),
        train.items,
        test.items,
        phenomenon,
        train.groups,
        test.groups,
    )


def _corpus(items: tuple[Item, ...], name: str) -> Corpus:
    return Corpus.from_texts(
        [item.text for item in items], [item.label for item in items], name=name
    )
