"""Which settings train a small Transformer within a thousand steps: the experiment of the notes.

Run: ``python examples/trainability.py --jobs 2`` trains all rows of the notes' five tables with
their own recipe and three seeds. That takes hours; what is done is kept in trainability.json, so it
can be stopped and goes on. ``--recipes`` adds what newer practice does, ``--short`` is a taste. The
runs of docs/claims.md are in benchmarks/records/trainability.json; its table numbers the rows.

Output of ``--short --rows 17 18 --seeds 0``, where forty steps are too few::

    | row | setting | recipe | printed | median (range) | no dropout | trained | steps | agrees |
    |---|---|---|---|---|---|---|---|---|
    | 17 | xavier_uniform 2 layer | notes | 0.124 | 1.955 (1.955–1.955) | 1.798 | 0 of 1 |  | no |
    | 18 | default 2 layer | notes | 0.092 | 2.797 (2.797–2.797) | 2.692 | 0 of 1 |  | no |
"""

import argparse
import sys
from itertools import product
from pathlib import Path

from nlpfeat.claims.trainability.records import Records, summaries
from nlpfeat.claims.trainability.running import do_all
from nlpfeat.claims.trainability.runs import Outcome, Run
from nlpfeat.claims.trainability.settings import RECIPES, SETTINGS
from nlpfeat.claims.trainability.table import table
from nlpfeat.errors import NlpfeatError

ALL = range(len(SETTINGS))
parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
add = parser.add_argument
add("--rows", type=int, nargs="+", choices=ALL, default=ALL, metavar="N", help="their numbers")
NAMES = ", ".join(map(repr, RECIPES))
add("--recipes", nargs="+", choices=RECIPES, default=["notes"], metavar="NAME", help=NAMES)
add("--seeds", type=int, nargs="+", default=[0, 1, 2], metavar="N", help="a run each")
add("--device", default="cpu", help="cpu, cuda, cuda:1, mps or auto")
add("--jobs", type=int, default=1, help="processes")
add("--records", type=Path, default=Path("trainability.json"), help="kept runs")
add("--short", action="store_true", help="40 steps a run")


def report(number: int, total: int, run: Run, outcome: Outcome) -> None:
    """Say that a run is done."""
    print(f"[{number}/{total}] {run.key}: {outcome.loss:.3f}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    given = parser.parse_args()
    steps = (40, 5) if given.short else ()
    chosen = product(given.seeds, given.recipes, given.rows)
    runs = [Run(SETTINGS[row], RECIPES[name], seed, *steps) for seed, name, row in chosen]
    try:
        records = Records(given.records)
        do_all(runs, records, device=given.device, n_jobs=given.jobs, on_done=report)
    except NlpfeatError as error:
        sys.exit(f"trainability: {error}")
    except KeyboardInterrupt:
        sys.exit(130)  # what is done is kept
    print("\n".join(table(summaries(runs, records))))
