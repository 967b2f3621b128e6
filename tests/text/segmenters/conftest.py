"""jieba itself, through its own public methods, as the answer that both engines must give."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jieba
import pytest
from jieba import finalseg

from nlpfeat.text.characters import is_blank
from nlpfeat.text.segmenters.user_dictionary import DictionaryEntry

Cut = Callable[[str, bool], list[str]]


def without_blanks(pieces: Sequence[str]) -> list[str]:
    return [piece for piece in pieces if not is_blank(piece)]


@pytest.fixture(scope="session")
def base_tokenizer() -> Any:
    """A tokenizer with jieba's own dictionary, read without its cache in the temp folder."""
    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer


@pytest.fixture(scope="session")
def jieba_cut(base_tokenizer: Any) -> Cut:
    """``jieba.lcut`` without blanks."""
    return lambda text, hmm: without_blanks(base_tokenizer.lcut(text, HMM=hmm))


@pytest.fixture
def jieba_with_entries(
    base_tokenizer: Any,
) -> Iterator[Callable[[Sequence[DictionaryEntry]], Cut]]:
    """``jieba.lcut`` after ``add_word`` for each entry; what jieba keeps globally is put back."""
    kept = set(finalseg.Force_Split_Words)

    def with_entries(entries: Sequence[DictionaryEntry]) -> Cut:
        tokenizer = jieba.Tokenizer()
        tokenizer.FREQ, tokenizer.total = dict(base_tokenizer.FREQ), base_tokenizer.total
        tokenizer.initialized = True
        for entry in entries:
            tokenizer.add_word(entry.word, entry.frequency, entry.tag)
        deleted = {entry.word for entry in entries if entry.frequency == 0}

        def cut(text: str, hmm: bool) -> list[str]:
            finalseg.Force_Split_Words.update(deleted)
            try:
                return without_blanks(tokenizer.lcut(text, HMM=hmm))
            finally:
                finalseg.Force_Split_Words.intersection_update(kept)

        finalseg.Force_Split_Words.intersection_update(kept)
        return cut

    yield with_entries
    finalseg.Force_Split_Words.intersection_update(kept)
