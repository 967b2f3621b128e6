"""Classical features and attention side by side, on a corpus and on texts that isolate one thing.

Run: ``python examples/compare_attention.py`` (some minutes; it writes compare_attention.html)

Output of ``--suite quick --phenomena order``::

    nbsvm has the highest accuracy, 91.1 % [86.9, 95.2], and is ahead of every other model; of the next one, attention, by 10.1 points [4.1, 15.9], p = .01.
    Against nbsvm (the best classical model on the dev parts), behind: attention, word-ngrams and word-bow.
    Attention alone is behind nbsvm by 10.1 points [4.1, 15.9], p = .01.
    These 169 test documents can tell differences in accuracy from about 7.3 points on, and smaller ones between models that agree on more of them; no lead below that is called one. Intervals are of 95 %; p-values are corrected for all comparisons (Holm).
    All networks here were trained from nothing on these documents; a pretrained model knows the language already and is no part of this comparison.

    model        accuracy %          95 %  macro-F1 %  log loss*  ECE* %  training s  against nbsvm
    nbsvm              91.1  [86.9, 95.2]        91.2      0.364    11.1        0.37
    attention          81.1  [75.1, 87.0]        80.8      0.605     8.8       82.26  worse
    word-ngrams        71.0  [64.4, 77.4]        71.2      0.858     5.4        0.11  worse
    word-bow           69.8  [62.6, 76.8]        69.8      0.863     7.3        0.80  worse
    * after temperature scaling on the dev part

    phenomenon  word-bow  word-ngrams  nbsvm  attention
    order             50          100    100         99
    accuracy % on controlled texts of two classes; 50 is chance

    Note: With 1 seed the intervals know little of how much a model varies from training to training; 5 are better.
    Note: On phenomena each model has one setting, for word-ngrams, nbsvm, attention another one than on the corpus: see their parameters.
"""  # noqa: E501

import argparse
from importlib.util import find_spec

from rich import console, progress

from nlpfeat import Protocol, compare_models, load_everyday
from nlpfeat.compare.labeled_files import open_labeled
from nlpfeat.compare.report import report_ending

MODELS = ["word-bow", "positional-bow", "word-ngrams", "tfidf", "nbsvm", "attention"]
OUTPUT = "compare_attention" + (".html" if find_spec("vl_convert") else ".md")
PHENOMENA = ["keyword", "frequency", "negation", "position", "order", "distant_pair",
             "far_modifier", "topic_sense", "idiom", "quantifier"]  # fmt: skip
parser = argparse.ArgumentParser()
parser.add_argument("--corpus", metavar="FILE", help="labeled documents of your own")
parser.add_argument("--suite", help="a ready set of models in place of the six, such as standard")
parser.add_argument("--seeds", type=int, nargs="+", default=[0])
parser.add_argument("--phenomena", nargs="*", default=PHENOMENA, metavar="NAME")
parser.add_argument("--output", default=OUTPUT, help=".html, .md or .json")
if __name__ == "__main__":
    given = parser.parse_args()
    report_ending(given.output)  # an error now, not after the work
    with progress.Progress(console=console.Console(stderr=True), speed_estimate_period=300) as bars:
        task = bars.add_task("runs")
        report = compare_models(
            given.suite or MODELS, open_labeled(given.corpus) if given.corpus else load_everyday(),
            Protocol(seeds=given.seeds, n_trials=1, n_explained=20), n_jobs=2,
            phenomena=given.phenomena,
            on_progress=lambda _, done, total: bars.update(task, completed=done, total=total),
        )  # fmt: skip
    report.save(given.output)
    print(report.summary(), end="")
