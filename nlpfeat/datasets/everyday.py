"""The corpus that comes with nlpfeat: everyday Chinese, written for it."""

from pathlib import Path

from nlpfeat.errors import InvalidInputError
from nlpfeat.text.corpus import Corpus


def load_everyday() -> Corpus:
    """Return short everyday texts in simplified Chinese, labeled with eight topics.

    Returns
    -------
    Corpus
        One text a document; the label is 美食, 数码, 旅行, 健康, 体育, 家居, 教育 or 天气.
        The texts were written for this project and are free to use (CC0 1.0); their card stands
        beside the file.

    Raises
    ------
    InvalidInputError
        When the file is neither in the installed package nor beside it.

    Examples
    --------
    >>> document = next(load_everyday().documents())
    >>> document.id, document.text[:13], document.label
    ('everyday:1', '巷子口那家小馆子的红烧排骨', '美食')
    """
    documents = list(Corpus(_find(), text_column=1, label_column=2, encoding="utf-8").documents())
    texts = [document.text for document in documents]
    return Corpus.from_texts(texts, [document.label for document in documents], name="everyday")


def _find() -> Path:
    """Return the file in the installed package or, in a checkout, beside it."""
    package = Path(__file__).parents[1]
    places = [folder / "corpora/everyday/everyday.tsv" for folder in (package, package.parent)]
    for place in places:
        if place.is_file():
            return place
    raise InvalidInputError(
        f"The corpus everyday is missing: it is neither at {places[0]} nor at {places[1]}. "
        "Install nlpfeat again: pip install --force-reinstall nlpfeat"
    )
