"""What a placebo keeps of its prior: the figures of docs/decisions/0015 and docs/priors.md.

Usage: python benchmarks/bridge_placebos.py train.tsv dev.tsv

The files are those of bench_bridge.py. Priors are fitted on the training texts and asked about the
dev texts, with punctuation, as AttentionClassifier does. Printed is, for PmiPrior and its placebo,
which share of the pairs of two different tokens of a text has an entry; and for TopicPrior, how
many classes a logistic regression on the topic shares tells right. It takes two minutes.
"""

import argparse

import numpy as np
from bridge_data import Data
from sklearn.linear_model import LogisticRegression

from nlpfeat.priors import PmiPrior, ReadDocuments, TextPrior, TopicPrior
from nlpfeat.text.token_spool import TextSettings

SEED = 0
SETTINGS = TextSettings(keep_punctuation=True)


def share_of_pairs(prior: PmiPrior, data: Data) -> float:
    """Return how many pairs of two different terms of a dev text have a value."""
    read = ReadDocuments.read(data.train[0], unit="char", settings=SETTINGS)
    fitted = prior.fit(read, data.train[1], 10, SEED)
    n_pairs = n_entries = 0
    for ids in read.alike(data.dev[0]).tokens:
        is_pair = ids[:, None] != ids
        n_pairs += int(np.count_nonzero(is_pair))
        n_entries += int(np.count_nonzero(fitted.pair_values(ids)[is_pair]))
    return n_entries / n_pairs


def accuracy_of_topics(prior: TextPrior, data: Data, unit: str) -> float:
    """Return how many classes of dev texts the topic shares tell right."""
    read = ReadDocuments.read(data.train[0], unit=unit, settings=SETTINGS)
    fitted = prior.fit(read, data.train[1], 10, SEED)
    model = LogisticRegression(max_iter=1000).fit(fitted.inputs(read).rows, data.train[1])
    return float(model.score(fitted.inputs(read.alike(data.dev[0])).rows, data.dev[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("dev")
    arguments = parser.parse_args()
    data = Data.read(arguments.train, arguments.dev)
    pmi, topics = PmiPrior(), TopicPrior(form="gate")
    for name, prior in (("prior", pmi), ("placebo", pmi.shuffled(SEED))):
        print(f"pairs with an entry, {name}: {share_of_pairs(prior, data):.1%}", flush=True)
    for name, each, unit in (
        ("characters", topics, "char"),
        ("characters, placebo", topics.shuffled(SEED), "char"),
        ("words", topics, "word"),
    ):
        accuracy = accuracy_of_topics(each, data, unit)
        print(f"classes told by topics of {name}: {accuracy:.1%}", flush=True)


if __name__ == "__main__":
    main()
