"""Which settings train a small Transformer within a thousand steps: the experiment of the notes.

Run: ``python examples/trainability.py --jobs 2`` trains all rows of the notes' five tables with
their own recipe and three seeds. That takes hours; what is done is kept in trainability.json, so it
can be stopped and goes on. ``--recipes`` adds what newer practice does, ``--short`` is a taste.

Output of ``--short``, which forty steps are too few for::

    | setting | recipe | notes | median (range) | no dropout | trained | steps | agrees |
    |---|---|---|---|---|---|---|---|
    | lr=1e-3, no warm-up 2 layer | notes | 0.086 | 2.013 (2.013–2.013) | 1.971 | 0 of 1 |  | no |
    | lr=1e-4, no warm-up 2 layer | notes | 0.614 | 3.402 (3.402–3.402) | 3.433 | 0 of 1 |  | no |
"""

import argparse
import sys
from pathlib import Path

from nlpfeat.claims.trainability.records import Records, summaries
from nlpfeat.claims.trainability.running import do_all
from nlpfeat.claims.trainability.runs import Outcome, Run
from nlpfeat.claims.trainability.settings import RECIPES, SETTINGS
from nlpfeat.claims.trainability.table import table
from nlpfeat.errors import NlpfeatError

ALL, SHORT, NAMES = range(len(SETTINGS)), (20, 21), "; ".join(RECIPES)  # two layers are short
parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, nargs="+", choices=ALL, metavar="N", help="0 to 22")
parser.add_argument("--recipes", nargs="+", choices=RECIPES, default=["notes"], metavar="NAME",
                    help=NAMES)  # fmt: skip
parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="default 0 1 2")
parser.add_argument("--device", default="cpu", help="cpu or cuda")
parser.add_argument("--jobs", type=int, default=1, help="processes")
parser.add_argument("--records", type=Path, default=Path("trainability.json"), help="kept runs")
parser.add_argument("--short", action="store_true", help="two rows, 40 steps, seed 0")


def report(number: int, total: int, run: Run, outcome: Outcome) -> None:
    """Say that a run is done."""
    print(f"[{number}/{total}] {run.key}: {outcome.loss:.3f}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    given = parser.parse_args()
    rows, seeds, *steps = (SHORT, [0], 40, 5) if given.short else (given.rows or ALL, given.seeds)
    runs = [
        Run(SETTINGS[row], RECIPES[recipe], seed, *steps)
        for seed in seeds
        for recipe in given.recipes
        for row in rows
    ]
    try:
        records = Records(given.records)
        do_all(runs, records, device=given.device, n_jobs=given.jobs, on_done=report)
    except NlpfeatError as error:
        sys.exit(f"trainability: {error}")
    except KeyboardInterrupt:
        sys.exit(130)  # what is done is kept
    print("\n".join(table(summaries(runs, records))))
