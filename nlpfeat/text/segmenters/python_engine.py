"""jieba itself, with a tokenizer of its own."""

from collections.abc import Sequence
from types import FunctionType, MethodType, SimpleNamespace
from typing import Any

from nlpfeat.text.joined import join_tokens
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
        deleted = {entry.word for entry in entries if entry.frequency == 0}
        self._tokenizer = _private_tokenizer(deleted)
        for entry in entries:
            if entry.frequency == 0:
                self._delete(entry.word)
            else:
                self._tokenizer.add_word(entry.word, entry.frequency, entry.tag)

    def _delete(self, word: str) -> None:
        # jieba's own way would also enter the word into a list that all tokenizers share.
        for end in range(1, len(word)):
            self._tokenizer.FREQ.setdefault(word[:end], 0)
        self._tokenizer.FREQ[word] = 0

    def cut_batch(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of each text; together they are the text.

        Raises
        ------
        UnicodeEncodeError
            For a lone surrogate, as rjieba does.
        """
        "".join(texts).encode()
        return [self._tokenizer.lcut(text, HMM=self._hmm) for text in texts]

    def cut_joined(self, texts: Sequence[str]) -> list[str]:
        """Return the pieces of each text, joined."""
        return join_tokens(self.cut_batch(texts))


def _private_tokenizer(deleted: set[str]) -> Any:
    """Return a tokenizer that shares nothing with the module's own.

    Parameters
    ----------
    deleted : set of str
        Words that the hidden Markov model must not find either.
    """
    import jieba

    tokenizer = jieba.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    # jieba keeps the deleted words of all its tokenizers in one set of the module finalseg. The
    # two functions on the way to that set get a set of their own.
    finalseg = vars(jieba.finalseg)
    cut = FunctionType(finalseg["cut"].__code__, {**finalseg, "Force_Split_Words": deleted})
    method = FunctionType(
        tokenizer._Tokenizer__cut_DAG.__code__,
        {**vars(jieba), "finalseg": SimpleNamespace(cut=cut)},
    )
    tokenizer._Tokenizer__cut_DAG = MethodType(method, tokenizer)
    return tokenizer
