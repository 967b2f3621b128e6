"""Which pairs each normalizer ties together."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement
from nlpfeat.claims.figures import Figure, Figures, is_within

SOFTMAX, CAPSULE, RENORMALIZED = "softmax", "capsule", "capsule, rows renormalized"
SINKHORN, DUAL = "sinkhorn", "dual softmax"
_KINDS = {"row": "ab by ac", "column": "ab by cb", "cross": "ab by cd"}
_NONE = 1e-12


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Differentiate weights by scores, at four equal scores, and take shares at random ones."""
    import torch

    from nlpfeat.attention.diagnostics.coupling import coupling_shares, uniform_coupling
    from nlpfeat.attention.diagnostics.drawing import draw_normal
    from nlpfeat.attention.normalizers import Capsule, Dual, Sinkhorn, Softmax

    normalizers = {
        SOFTMAX: Softmax(),
        CAPSULE: Capsule(renormalize=False),
        RENORMALIZED: Capsule(),
        SINKHORN: Sinkhorn(),
        DUAL: Dual(),
    }
    scores = draw_normal(torch.Generator().manual_seed(0), 6, 6)
    for name, normalizer in normalizers.items():
        found = uniform_coupling(normalizer, 4)
        for kind, pairs in _KINDS.items():
            yield Figure(f"{name}: {pairs}", (getattr(found, kind),), "d weight / d score")
        share = coupling_shares(normalizer, scores).cross
        yield Figure(_share(name), (share,), "of squares")


def judge(figures: Figures) -> Judgement:
    """Judge by which derivatives are exactly 0, at equal and at random scores."""

    def ties(name: str) -> list[bool]:
        return [
            any(not is_within(each, 0.0, _NONE) for each in measured)
            for measured in (
                [figures[f"{name}: {_KINDS['row']}"]],
                [figures[f"{name}: {_KINDS['column']}"]],
                [figures[f"{name}: {_KINDS['cross']}"], figures[_share(name)]],
            )
        ]

    if ties(SOFTMAX) != [True, False, False]:
        return Judgement(DOES_NOT_HOLD, "Softmax does not tie exactly the pairs of one query.")
    failing = [
        what
        for what, found, said in (
            ("of softmax over queries", ties(CAPSULE), [False, True, False]),
            ("of Sinkhorn", ties(SINKHORN), [True, True, True]),
        )
        if found != said
    ]
    if failing:
        return Judgement(IN_PART, f"It is so of softmax, and not {' and not '.join(failing)}.")
    share = figures[_share(SINKHORN)].value
    others = " and ".join(
        f"{name} {'ties' if ties(kind)[-1] else 'does not tie'} ab to cd"
        for name, kind in (
            ("a capsule whose rows are renormalized", RENORMALIZED),
            ("dual softmax, the product of both softmaxes,", DUAL),
        )
    )
    return Judgement(
        HOLDS,
        "Softmax ties the pairs of one query alone, softmax over queries those of one key alone, "
        f"and Sinkhorn all of them; {others}. Sinkhorn's tie of ab to cd is {100 * share:.0f} % of "
        "its squared derivatives.",
    )


def _share(name: str) -> str:
    return f"{name}: share of ab by cd, 6 × 6 random scores"


CLAIM = Claim(
    slug="normalizer-coupling",
    title="What each normalizer ties together",
    section="非独立的二元关系",
    says="Softmax makes ab depend on ac and on nothing else (列相关). A capsule network makes ab "
    "depend on cb (行相关). That ab acts on cd takes rows and columns, as in Sinkhorn (行列相关).",
    shown_by="The derivative of the weight of ab by the score of each other pair: exactly 0, or "
    "not, at equal scores, and for cd at random ones as well. At equal scores of n queries and n "
    "keys Sinkhorn's for cd is 1/n³; here n is 4, which gives 0.0156. Dual softmax is softmax over "
    "keys times softmax over queries.",
    measure=measure,
    judge=judge,
    limits="Within one layer. Two layers of softmax let ab act on cd as well; whether language "
    "needs it is not asked.",
    is_exact=True,
)
