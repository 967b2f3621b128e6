"""The attention of a classifier before it was trained."""

from collections.abc import Sequence

from nlpfeat.classifiers._untrained import untrained
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.compare.explaining.evidence import TokenWeights, attention_on_tokens


def untrained_attention(
    classifier: AttentionClassifier, documents: Sequence[Sequence[str]]
) -> TokenWeights | None:
    """Return the weights that a classifier gave before its first step.

    Parameters
    ----------
    classifier : AttentionClassifier
        Fitted.
    documents : sequence of sequences of str
        N token lists.

    Returns
    -------
    TokenWeights or None
        None where ``random_state`` is no integer: what was drawn cannot be drawn again.
    """
    drawn = untrained(classifier)
    if drawn is None:
        return None
    found = drawn.attention_weights([list(document) for document in documents])
    return attention_on_tokens(found, documents, classifier.unit)
