"""jieba itself, with a tokenizer of its own."""

from collections.abc import Sequence
from typing import Any

from nlpfeat.text.segmenters.user_dictionary import DictionaryEntry


class PythonEngine:
    """Cuts with jieba: the reference, slower than rjieba and with 0.7 s to load its dictionary.

    The tokenizer is private: other users of jieba in the process neither see this user
    dictionary nor lend theirs. It is filled directly, without jieba's own ``initialize``, which
    logs to stderr and trusts a cache in a folder that everybody can write to.

    Parameters
    ----------
    hmm : bool
        Whether words that the dictionary lacks are found with the hidden Markov model.
    entries : sequence of DictionaryEntry
        Of the user dictionary.
    """

    def __init__(self, hmm: bool, entries: Sequence[DictionaryEntry]) -> None:
        self._hmm = hmm
        self._tokenizer = _private_tokenizer()
        self._deleted: set[str] = set()
        for entry in entries:
            if entry.frequency == 0:
                # jieba would also enter the word into a list that all tokenizers share.
                self._deleted.add(entry.word)
                self._add_prefixes(entry.word)
                self._tokenizer.FREQ[entry.word] = 0
            else:
                self._deleted.discard(entry.word)
                self._tokenizer.add_word(entry.word, entry.frequency, entry.tag)

    def _add_prefixes(self, word: str) -> None:
        for end in range(1, len(word)):
            self._tokenizer.FREQ.setdefault(word[:end], 0)

    def cut_batch(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of each text; together they are the text."""
        return [self._without_deleted(self._tokenizer.lcut(text, HMM=self._hmm)) for text in texts]

    def _without_deleted(self, pieces: list[str]) -> list[str]:
        # A word of frequency 0 comes from the hidden Markov model only; jieba takes it apart.
        if self._deleted.isdisjoint(pieces):
            return pieces
        return [part for piece in pieces
                for part in (piece if piece in self._deleted else (piece,))]  # fmt: skip


def _private_tokenizer() -> Any:
    from jieba import Tokenizer

    tokenizer = Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
