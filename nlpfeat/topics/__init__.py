"""Topic models: engines that learn the topics of counts, and inference that all of them share.

``ENGINES`` is the catalog. An engine only learns: from counts and settings to a `TopicModel`. What
a document is made of (:mod:`nlpfeat.topics.inference`) and how well topics explain it
(:mod:`nlpfeat.topics.perplexity`) is worked out here in one way, whoever learned the topics.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from nlpfeat.topics.settings import LearningSettings
from nlpfeat.topics.topic_model import TopicModel

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Learn: TypeAlias = "Callable[[csr_array, LearningSettings], TopicModel]"


@dataclass(frozen=True)
class Engine:
    """How topics are learned."""

    #: Returns the function that learns; loads what it needs, or says what is not installed.
    load: Callable[[], Learn]
    #: How often the documents are read when nothing else is asked for.
    passes: int
    #: What the engine is, in half a line.
    description: str


def _gensim() -> Learn:
    from nlpfeat.topics.gensim_engine import learn

    return learn


def _tomotopy() -> Learn:
    from nlpfeat.topics.tomotopy_engine import learn, load_tomotopy

    load_tomotopy()
    return learn


ENGINES: dict[str, Engine] = {
    "gensim": Engine(_gensim, passes=20, description="online variational Bayes"),
    "tomotopy": Engine(_tomotopy, passes=100, description="collapsed Gibbs sampling"),
}

__all__ = ["ENGINES", "Engine", "LearningSettings", "TopicModel"]
