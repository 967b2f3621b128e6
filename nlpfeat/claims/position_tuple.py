"""With their places, two tokens are a four-tuple or a triple, independent of all others."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement
from nlpfeat.claims.figures import Figure, Figures, is_above, is_within

if TYPE_CHECKING:
    from nlpfeat.attention.positions import Position

_NONE = "no places"
_ABSOLUTE = ("learned vectors", "sines")
_RELATIVE = {"T5's biases": "t5", "Shaw's vectors": "shaw", "ALiBi": "alibi", "rope": "rope"}
_NAMES = (_NONE, *_ABSOLUTE, *_RELATIVE)
_SHIFT = 17
_MOVED = f"all tokens {_SHIFT} places on"
_APART = f"keys alone {_SHIFT} places on"
_TURNED = "places counted from the end"
_OTHERS = "another token changed, scores of the other pairs"
_ROUNDING, _CLEAR = 1e-9, 1e-3


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Draw layers of width 16, move six tokens, and see how far scores change."""
    import torch

    from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
    from nlpfeat.attention.diagnostics.pair_scores import pair_scores
    from nlpfeat.attention.diagnostics.position_tuple import shift_defect
    from nlpfeat.attention.spec import AttentionSpec

    generator = torch.Generator().manual_seed(0)
    tokens = draw_normal(generator, 6, 16)
    changed = tokens.clone()
    changed[5] = draw_normal(generator, 16)
    places = torch.arange(6)
    for name in _NAMES:
        layer = draw_attention(generator, 16, AttentionSpec(position=_position(name)))
        with torch.no_grad():
            before = pair_scores(layer, tokens, tokens, places, places)
            apart = pair_scores(layer, tokens, tokens, places, places + _SHIFT) - before
            turned = pair_scores(layer, tokens, tokens, 5 - places, 5 - places) - before
            others = pair_scores(layer, changed, changed, places, places) - before
        changes = {
            _MOVED: shift_defect(layer, tokens, _SHIFT),
            _APART: float(apart.abs().max()),
            _TURNED: float(turned.abs().max()),
            _OTHERS: float(others[:, :5, :5].abs().max()),
        }
        for what, change in changes.items():
            yield Figure(_name(name, what), (change,), "greatest change")


def _position(name: str) -> "str | Position":
    from nlpfeat.attention.positions import AbsolutePosition

    if name in _ABSOLUTE:
        return AbsolutePosition(learned=name == _ABSOLUTE[0])
    return _RELATIVE.get(name, "none")


def _name(position: str, what: str) -> str:
    return f"{position}: {what}"


def judge(figures: Figures) -> Judgement:
    """Judge by what moves scores: both places, their distance, and tokens outside the pair."""

    def changes(name: str, what: str) -> bool:
        return bool(is_above(figures[_name(name, what)], _CLEAR))

    def stays(name: str, what: str) -> bool:
        return bool(is_within(figures[_name(name, what)], 0.0, _ROUNDING))

    if not all(stays(name, _OTHERS) for name in _NAMES):
        return Judgement(DOES_NOT_HOLD, "The score of a pair changes with tokens outside it.")
    tuples = [name for name in _ABSOLUTE if changes(name, _MOVED) and changes(name, _APART)]
    triples = [name for name in _RELATIVE if stays(name, _MOVED) and changes(name, _APART)]
    neither = [name for name in _NAMES[1:] if name not in (*tuples, *triples)]
    sentence = (
        f"Pairs are four-tuples with {_listed(tuples)}: scores change when all tokens move. They "
        f"are triples with {_listed(triples)}: scores stay then, and change with the distance"
    )
    unsigned = [name for name in triples if stays(name, _TURNED)]
    if unsigned:
        sentence += f"; with {_listed(unsigned)} whatever its sign, so that |i − j| is what counts"
    sentence += ". No score changes with tokens outside its pair"
    if not neither:
        return Judgement(HOLDS, f"{sentence}.")
    if not tuples and not triples:
        return Judgement(DOES_NOT_HOLD, f"Pairs are neither with {_listed(neither)}.")
    return Judgement(IN_PART, f"{sentence}. They are neither with {_listed(neither)}.")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


CLAIM = Claim(
    slug="position-tuple",
    title="With its places a pair is a four-tuple or a triple",
    section="独立的二元关系",
    says="Attention as it is used has positions besides. A pair of tokens is then a four-tuple "
    "(四元组), (x_i, x_j, i, j), or a triple (三元组), (x_i, x_j, i − j), and each is independent "
    "of the others.",
    shown_by="How scores change when tokens stay and places do not. With absolute positions they "
    "change when all tokens move by as many places; with relative ones they stay, up to rounding, "
    "and change when keys alone move. With either they stay when a token outside the pair changes. "
    "Where they stay when places are counted from the end, which turns the sign of each distance, "
    "|i − j| is what counts. Beside them attention without places.",
    measure=measure,
    judge=judge,
    limits="Scores of one layer as it is drawn, before the normalizer, which ties all pairs of a "
    "query. A trained layer may have learned to heed places or not. A causal mask, padding and the "
    "edge of a text tell a place by themselves; and T5's biases and Shaw's vectors are the same "
    "for all distances beyond a bound.",
    is_exact=True,
)
