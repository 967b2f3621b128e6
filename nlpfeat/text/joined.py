"""Many tokens in one string: what passes between the segmenter and the table of terms.

A list of a million short strings costs more time to make, to hold and to look through than the
words in it cost to find. So the tokens of a text travel joined, with a noncharacter between them.
"""

from collections.abc import Sequence

TOKEN_END = "\uffff"
TEXT_END = "\ufffe"

_TO_REPLACEMENT = {ord(TOKEN_END): "\ufffd", ord(TEXT_END): "\ufffd"}


def join_tokens(token_lists: Sequence[Sequence[str]]) -> list[str]:
    r"""Join the tokens of each text.

    Examples
    --------
    >>> join_tokens([["今天", "天气"], []])
    ['今天\uffff天气', '']
    """
    joined = list(map(TOKEN_END.join, token_lists))
    whole = TEXT_END.join(joined)
    n_ends = sum(map(len, token_lists)) - sum(map(bool, token_lists))
    if whole.count(TOKEN_END) == n_ends and whole.count(TEXT_END) <= len(joined) - 1:
        return joined
    return [TOKEN_END.join(map(_without_ends, tokens)) for tokens in token_lists]


def without_ends(texts: Sequence[str]) -> Sequence[str]:
    """Return the texts with the two noncharacters read as U+FFFD, as decoders do.

    No text holds them on purpose: Unicode keeps U+FFFE and U+FFFF free for programs.
    """
    if any(TOKEN_END in text or TEXT_END in text for text in texts):
        return [_without_ends(text) for text in texts]
    return texts


def _without_ends(text: str) -> str:
    return text.translate(_TO_REPLACEMENT) if TOKEN_END in text or TEXT_END in text else text
