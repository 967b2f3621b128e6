"""What models go by: faithfulness, agreement with classical scores, omission."""

from collections.abc import Sequence
from functools import partial

from nlpfeat.compare.explaining.findings import (
    Agreement,
    Faithfulness,
    NormalizedFigure,
    Omission,
)
from nlpfeat.compare.explaining.omission import KINDS, WITHOUT_WEIGHTS
from nlpfeat.compare.findings import Findings
from nlpfeat.rendering import Cell, Column, DataTable, Figure, Folded, Prose, Section
from nlpfeat.rendering.blocks import Chart
from nlpfeat.rendering.charts import chart_data, step_height
from nlpfeat.rendering.numbers import NONE, decimal, interval, percent, signed
from nlpfeat.rendering.themes import GREY

_MEASURES = {
    "comprehensiveness": "what is lost without the first tokens of an order; higher is better",
    "sufficiency": "what is lost with the first tokens alone; lower is better",
}
_REFERENCES = {
    "permutation": "shuffled weights", "other_seed": "another seed", "initial": "before training",
}  # fmt: skip

_RUNS = Column("Runs", "number", "that were explained")


def faithfulness(findings: Findings) -> Section | None:
    """Return two charts and a table: do the weights of a model say what it goes by."""
    found = findings.faithfulness
    if not found:
        return None
    figures = [
        Figure(
            name,
            f"Normalized {name}",
            f"For each model and each order of deletion, {meaning}. A model's own order is "
            "informative where it stands beyond random, position and idf. Lines are intervals of "
            "95 % from resampled documents.",
            partial(_faithfulness_chart, found, f"normalized_{name}"),
            min_width=420,
        )
        for name, meaning in _MEASURES.items()
    ]
    explained = Prose([
        "Tokens are removed from documents in the order that a source puts them, and all features "
        "are computed again. Raw values are not comparable between models; normalized ones are, "
        "from 0 (the worst order) to 1 (the best that was found)."
    ])  # fmt: skip
    numbers = Folded("Numbers of these charts", [_faithfulness_table(found)])
    return Section("faithfulness", "Faithfulness", [explained, *figures, numbers])


def agreement(findings: Findings) -> Section | None:
    """Return how far the weights of models rank the words of a document as classical scores do."""
    found = findings.agreement
    if not found:
        return None
    figure = Figure(
        "agreement",
        "Kendall's τ of a model's weights and a classical score",
        "Filled points are the mean over documents with its interval of 95 %; hollow ones are the "
        "references: shuffled weights, the same model with another seed, and the model before "
        "training. “ppmi of pairs” is what attention takes of one token for another, with their "
        "distance held fast.",
        lambda: _agreement_chart(found),
        _agreement_table(found),
        min_width=460,
    )
    weighed = [each for each in found if each.uniform_divergence is not None]
    tables = [_divergence_table(weighed)] if weighed else []
    return Section("agreement", "Agreement with classical scores", [figure, *tables])


def omission(findings: Findings) -> Section | None:
    """Return what a model cannot do without: a token, or the weights of its attention."""
    tokens = [each for each in findings.omission if each.kind in KINDS]
    weights = [each for each in findings.omission if each.kind in WITHOUT_WEIGHTS]
    tables = []
    if tokens:
        tables.append(_omission_table(_TOKENS_LEFT_OUT, "Token left out", tokens, _TOKENS_NOTE))
    if any(each.recovery is not None for each in tokens):
        tables.append(_recovery_table(tokens))
    if weights:
        tables.append(_omission_table(_WEIGHTS_LEFT_OUT, "Made uniform", weights, _WEIGHTS_NOTE))
    return Section("omission", "Omission", tables) if tables else None


def _faithfulness_chart(found: Sequence[Faithfulness], measure: str) -> Chart:
    import altair

    figures = [(each, getattr(each, measure)) for each in found]
    data = chart_data([
        {"model": each.model, "order": each.order, "value": figure.mean, "low": figure.low,
         "high": figure.high}
        for each, figure in figures
        if figure is not None
    ])  # fmt: skip
    models = list(dict.fromkeys(each.model for each in found))
    orders = list(dict.fromkeys(each.order for each in found))
    domain = altair.Scale(domain=orders)
    x = altair.X(
        "low:Q", title=measure.replace("_", " "), axis=altair.Axis(tickCount=5),
        scale=altair.Scale(domain=[0, 1], clamp=True),
    )  # fmt: skip
    base = altair.Chart(data).encode(
        y=altair.Y("model:N", title=None, scale=altair.Scale(domain=models),
                   axis=altair.Axis(grid=True)),
        yOffset=altair.YOffset("order:N", scale=domain),
        color=altair.Color("order:N", title=None, scale=domain),
        tooltip=[altair.Tooltip("model:N"), altair.Tooltip("order:N"),
                 *(altair.Tooltip(f"{name}:Q", format=".3f") for name in ("value", "low", "high"))],
    )  # fmt: skip
    points = base.mark_point(size=70, strokeWidth=2, opacity=0.9)
    return altair.layer(
        base.mark_rule(strokeWidth=1.5).encode(x=x, x2="high:Q"),
        points.encode(x="value:Q", shape=altair.Shape("order:N", title=None, scale=domain)),
    ).properties(
        width="container", height=step_height(len(models) * len(orders), 13) + 12 * len(models)
    )


def _faithfulness_table(found: Sequence[Faithfulness]) -> DataTable:
    columns = [
        Column("Model", "head"), Column("Order"),
        Column("Normalized comprehensiveness ↑", "number"),
        Column("Normalized sufficiency ↓", "number"), Column("Comprehensiveness", "number"),
        Column("Sufficiency", "number"), Column("Documents", "number"),
        Column("That tell", "number", "documents whose best and worst order differ"), _RUNS,
    ]  # fmt: skip
    rows = [
        [
            Cell(each.model),
            Cell(each.order),
            _normalized(each.normalized_comprehensiveness),
            _normalized(each.normalized_sufficiency),
            Cell(decimal(each.comprehensiveness), each.comprehensiveness),
            Cell(decimal(each.sufficiency), each.sufficiency),
            Cell(f"{each.n_documents:,}", each.n_documents),
            _n_told(each),
            _n_runs(each),
        ]
        for each in found
    ]
    return DataTable(
        "Faithfulness",
        columns,
        rows,
        "Mean over the first 1, 5, 10, 20 and 50 % of the tokens (AOPC). Only normalized values "
        "compare between models: means over the documents whose best and worst order differ, with "
        "an interval of 95 %.",
    )


def _normalized(figure: NormalizedFigure | None) -> Cell:
    if figure is None:
        return Cell(decimal(None))
    ends = _ends(decimal(figure.low), decimal(figure.high))
    return Cell(decimal(figure.mean), figure.mean, ends)


def _n_told(row: Faithfulness) -> Cell:
    """Return how many documents tell one order from another, by each figure where they differ."""
    figures = (row.normalized_comprehensiveness, row.normalized_sufficiency)
    counts = [0 if figure is None else figure.n_documents for figure in figures]
    return Cell(" / ".join(f"{each:,}" for each in dict.fromkeys(counts)), min(counts))


def _agreement_chart(found: Sequence[Agreement]) -> Chart:
    import altair

    models = list(dict.fromkeys(each.model for each in found))
    scores = list(dict.fromkeys(each.score for each in found))
    measured = chart_data([
        {"model": each.model, "score": each.score, "tau": each.tau, "low": each.low,
         "high": each.high}
        for each in found
    ])  # fmt: skip
    references = chart_data([
        {"model": each.model, "score": each.score, "tau": getattr(each, name), "reference": words}
        for each in found
        for name, words in _REFERENCES.items()
        if getattr(each, name) is not None
    ])  # fmt: skip
    y = altair.Y("model:N", title=None, scale=altair.Scale(domain=models))
    offset = altair.YOffset("score:N", scale=altair.Scale(domain=scores))
    color = altair.Color("score:N", title=None, scale=altair.Scale(domain=scores))
    shapes = altair.Scale(domain=list(_REFERENCES.values()),
                          range=["circle", "diamond", "square"])  # fmt: skip
    tooltip = [altair.Tooltip("model:N"), altair.Tooltip("score:N"),
               altair.Tooltip("tau:Q", title="τ", format=".3f")]  # fmt: skip
    axis = altair.X("low:Q", title="τ", axis=altair.Axis(tickCount=8))
    base = altair.Chart(measured).encode(y=y, yOffset=offset, color=color, tooltip=tooltip)
    zero = altair.Chart(chart_data([{"low": 0.0}]))
    return altair.layer(
        zero.mark_rule(color=GREY, strokeWidth=1).encode(x=axis),
        base.mark_rule(strokeWidth=2).encode(x=axis, x2="high:Q"),
        base.mark_point(filled=True, size=75, opacity=1).encode(x="tau:Q"),
        altair.Chart(references)
        .mark_point(filled=False, size=60, strokeWidth=1.5, color=GREY)
        .encode(
            x="tau:Q", y=y, yOffset=offset,
            shape=altair.Shape("reference:N", title=None, scale=shapes),
            tooltip=[*tooltip, altair.Tooltip("reference:N")],
        ),
    ).properties(
        width="container", height=step_height(len(models) * len(scores), 17) + 12 * len(models)
    )  # fmt: skip


def _agreement_table(found: Sequence[Agreement]) -> DataTable:
    columns = [
        Column("Model", "head"), Column("Score"), Column("τ", "number"),
        Column("Top three, %", "number", "share of the three highest that are the same; below it "
               "that of shuffled weights"),
        *(Column(words[:1].upper() + words[1:], "number", f"τ of {words}")
          for words in _REFERENCES.values()),
        Column("Documents", "number"), _RUNS,
    ]  # fmt: skip
    rows = [
        [
            Cell(each.model),
            Cell(each.score),
            Cell(decimal(each.tau), each.tau, interval(decimal(each.low), decimal(each.high))),
            Cell(
                percent(each.top_three), each.top_three,
                f"shuffled {percent(each.top_three_permutation)}"
                if each.top_three is not None else "",
            ),
            *(Cell(decimal(getattr(each, name)), getattr(each, name)) for name in _REFERENCES),
            Cell(f"{each.n_documents:,}", each.n_documents),
            _n_runs(each),
        ]
        for each in found
    ]  # fmt: skip
    return DataTable(
        "Agreement with classical scores",
        columns,
        rows,
        "Kendall's τ_b over the types of a document, from −1 to 1, and its interval of 95 %. The "
        "references, of the same documents: shuffled weights (chance), another seed (as far as the "
        "weights repeat themselves), and the model before training (agreement that was built in). "
        "Of pairs, for each token, τ of what it takes of the others and their PPMI with it, "
        "|i − j| held fast.",
    )


def _divergence_table(found: Sequence[Agreement]) -> DataTable:
    columns = [
        Column("Model", "head"),
        Column("Between seeds", "number", "of the weights of two seeds of the model"),
        Column("From uniform", "number", "of the weights and equal ones"),
        Column("Documents", "number"), _RUNS,
    ]  # fmt: skip
    # Each row is of the documents where its tau is defined: of the scores that with the most.
    most = {each.model: each for each in sorted(found, key=lambda each: each.n_documents)}
    rows = [
        [
            Cell(model),
            Cell(decimal(each.seed_divergence), each.seed_divergence),
            Cell(decimal(each.uniform_divergence), each.uniform_divergence),
            Cell(f"{each.n_documents:,}", each.n_documents),
            _n_runs(each),
        ]
        for model in dict.fromkeys(each.model for each in found)
        for each in (most[model],)
    ]
    return DataTable(
        "How far weights of attention are apart",
        columns,
        rows,
        "Mean Jensen-Shannon divergence over documents, in bits, from 0 (the same) to 1. Where two "
        "seeds are as far apart as the weights are from uniform ones, the weights of one training "
        "explain that training alone.",
    )


_TOKENS_LEFT_OUT = "What is lost when one token is left out"
_TOKENS_NOTE = (
    "strongest: the token that the model weighs most. cue: the token with the largest evidence of "
    "naive Bayes for the class. random: a token about as frequent as the cue. Intervals of 95 %."
)
_WEIGHTS_LEFT_OUT = "What is lost when weights of attention are made uniform"
_WEIGHTS_NOTE = (
    "pooling weights: those that put a document together, in the fitted model. all weights: those "
    "of the layers too. weights of a bag: the pooling weights before, equal ones after, in a "
    "linear model on the sum of the learned token vectors, which is fitted for each and has "
    "therefore no change of log-odds. What loses nothing does not need the weights, so that they "
    "explain little. Intervals of 95 %."
)


def _omission_table(caption: str, left_out: str, found: Sequence[Omission], note: str) -> DataTable:
    columns = [
        Column("Model", "head"), Column(left_out), Column("Accuracy before, %", "number"),
        Column("Accuracy after, %", "number"), Column("Robustness", "number", "after ÷ before"),
        Column("Δ log-odds", "number", "of the predicted class; below 0 it was needed"),
        Column("Documents", "number"), _RUNS,
    ]  # fmt: skip
    rows = [
        [
            Cell(each.model),
            Cell(each.kind),
            Cell(percent(each.accuracy_before), each.accuracy_before),
            Cell(percent(each.accuracy_after), each.accuracy_after),
            Cell(
                decimal(each.robustness, 2), each.robustness,
                _ends(decimal(each.robustness_low, 2), decimal(each.robustness_high, 2)),
            ),
            Cell(
                signed(each.delta, 2), each.delta,
                _ends(signed(each.delta_low, 2), signed(each.delta_high, 2)),
            ),
            Cell(f"{each.n_documents:,}", each.n_documents),
            _n_runs(each),
        ]
        for each in found
    ]  # fmt: skip
    return DataTable(caption, columns, rows, note)


def _recovery_table(found: Sequence[Omission]) -> DataTable:
    columns = [
        Column("Model", "head"), Column("Token left out"),
        Column("To its neighbors, %", "number", "of all the weight that was lost"),
        Column("In proportion, %", "number", "if all weights that are left grew alike"),
        Column("Documents", "number", "in which some of the other tokens are neighbors"), _RUNS,
    ]  # fmt: skip
    rows = [
        [
            Cell(each.model),
            Cell(each.kind),
            Cell(
                percent(moved.share), moved.share,
                _ends(percent(moved.low), percent(moved.high)),
            ),
            Cell(percent(moved.proportional), moved.proportional),
            Cell(f"{moved.n_documents:,}", moved.n_documents),
            _n_runs(each),
        ]
        for each in found
        if (moved := each.recovery) is not None
    ]  # fmt: skip
    return DataTable(
        "Where the attention of a token goes that is left out",
        columns,
        rows,
        "Neighbors of a token: those with which its PPMI in the training part is above 0. Above "
        "the proportion, tokens that keep its company take its place. Intervals of 95 %.",
    )


def _n_runs(row: Faithfulness | Agreement | Omission) -> Cell:
    return Cell(NONE if row.n_runs is None else str(row.n_runs), row.n_runs)


def _ends(low: str, high: str) -> str:
    """Return an interval, nothing where there is none."""
    return "" if NONE in (low, high) else interval(low, high)
