"""Width folding and lower-casing, which act when tokens meet the vocabulary."""

from collections.abc import Sequence
from dataclasses import dataclass

from nlpfeat.text.characters import character_table, texts_holding

_FULL_TO_HALF = {
    full: full - 0xFEE0
    for first, last in (("０", "９"), ("Ａ", "Ｚ"), ("ａ", "ｚ"))
    for full in range(ord(first), ord(last) + 1)
}
_FULL_WIDTH = character_table(_FULL_TO_HALF.__contains__)


def fold_width(text: str) -> str:
    """Turn full-width letters and digits into half-width ones; nothing else changes.

    One character stays one character, so offsets keep their meaning.

    Examples
    --------
    >>> fold_width("２０２６年ＧＤＰ增长，５％")
    '2026年GDP增长，5％'
    """
    return text.translate(_FULL_TO_HALF)


@dataclass(frozen=True)
class Normalization:
    """What makes two spellings one term.

    Parameters
    ----------
    fold_width : bool, default True
        Full-width letters and digits become half-width (``Ａ股`` and ``A股`` are one term); also
        done before cutting, since jieba cuts full-width digits one by one.
    lowercase : bool, default True
        ``VIP`` and ``vip`` are one term.

    Examples
    --------
    >>> Normalization().term("Ａ股"), Normalization(lowercase=False).term("VIP")
    ('a股', 'VIP')
    """

    fold_width: bool = True
    lowercase: bool = True

    def term(self, token: str) -> str:
        """Return the term under which a token is counted."""
        return self.terms([token])[0]

    def terms(self, tokens: Sequence[str]) -> Sequence[str]:
        """Return the terms of several tokens."""
        tokens = self.before_cutting(tokens)
        if not self.lowercase:
            return tokens
        # Most tokens are Chinese and stay as they are: then the same object serves as the term.
        lowered = map(str.lower, tokens)
        return [token if token == term else term for token, term in zip(tokens, lowered)]

    def before_cutting(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the texts as the segmenter should see them."""
        if not self.fold_width:
            return texts
        full_width = texts_holding(texts, _FULL_WIDTH)
        if not full_width:
            return texts
        folded = list(texts)
        for index in full_width:
            folded[index] = fold_width(folded[index])
        return folded
