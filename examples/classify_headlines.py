"""Classify short texts: n-grams of words and characters, weighted by naive Bayes, in a pipeline.

Run: ``python examples/classify_headlines.py train.tsv dev.tsv`` with a text, a tab and a label in
each line (UTF-8). Without files it learns from four fifths of the shipped corpus.

Output::

    676 texts to learn from, 169 new ones
    accuracy 91.1%, macro-F1 90.9%
"""

import sys
from functools import partial

from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline, make_union

from nlpfeat import Corpus, NBSVMClassifier, NgramVectorizer, SegmentTransformer, load_everyday


def read(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Return texts and labels."""
    documents = list(corpus.documents())
    return [document.text for document in documents], [str(each.label) for each in documents]


if len(sys.argv) == 3:
    parts = [read(Corpus(path, text_column=1, label_column=2)) for path in sys.argv[1:]]
    (train, train_labels), (dev, dev_labels) = parts
else:
    train, dev, train_labels, dev_labels = train_test_split(
        *read(load_everyday()), test_size=0.2, random_state=0
    )

# What stands in the training part too would be remembered, not recognized.
seen = set(train)
new = [place for place, text in enumerate(dev) if text not in seen]
dev, dev_labels = [dev[place] for place in new], [dev_labels[place] for place in new]

# In headlines punctuation tells much: 《》 of films, ： of who says something. So it is kept.
ngrams = partial(NgramVectorizer, binary=True, keep_punctuation=True)
classifier = make_pipeline(
    SegmentTransformer(),
    make_union(ngrams(ngram_range=(1, 2)), ngrams(ngram_range=(1, 3), unit="char")),
    NBSVMClassifier(alpha=0.3, random_state=0),
)
predicted = classifier.fit(train, train_labels).predict(dev)
print(f"{len(train)} texts to learn from, {len(dev)} new ones")
print(f"accuracy {accuracy_score(dev_labels, predicted):.1%}, "
      f"macro-F1 {f1_score(dev_labels, predicted, average='macro'):.1%}")  # fmt: skip
