"""Classical features as priors of attention: fitted on training text, finite, off by default.

``PRIORS`` is the catalog. A prior is settings (`Prior`); fitted on the training documents it is
arrays (`FittedPrior`) that say something of each token, pair of tokens or document. Where that goes
in a network, and how strongly, is for the classifier. A `TextPrior` is fitted on documents and
their classes; an `ExpertPrior` on the decisions of a model that the classifier fits.
"""

from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.embedding import EmbeddingPrior
from nlpfeat.priors.expert import ExpertPrior
from nlpfeat.priors.key import KeyPrior
from nlpfeat.priors.pmi import PmiPrior
from nlpfeat.priors.prior import FittedPrior, FittedTextPrior, Prior, PriorInputs, TextPrior
from nlpfeat.priors.topic import TopicPrior
from nlpfeat.priors.wide import WidePrior

PRIORS: dict[str, type[Prior]] = {
    kind.name: kind
    for kind in (WidePrior, ExpertPrior, EmbeddingPrior, KeyPrior, PmiPrior, TopicPrior)
}

__all__ = [
    "PRIORS",
    "EmbeddingPrior",
    "ExpertPrior",
    "FittedPrior",
    "FittedTextPrior",
    "KeyPrior",
    "PmiPrior",
    "Prior",
    "PriorInputs",
    "ReadDocuments",
    "TextPrior",
    "TopicPrior",
    "WidePrior",
]
