"""What a file says of itself: that nlpfeat wrote it, and which one."""

import io
import json
import re
import zipfile

from nlpfeat import __version__

_FORMAT = "nlpfeat estimator"
MANIFEST = "nlpfeat.json"
SCHEMA = "schema.json"


class ForeignError(Exception):
    """A file that is sound as far as one can see, and that this nlpfeat cannot read."""


def new_manifest() -> dict[str, str]:
    """Return what is written into a file now."""
    import sklearn

    return {"format": _FORMAT, "nlpfeat": __version__, "scikit-learn": sklearn.__version__}


def check_manifest(data: bytes) -> None:
    """Raise when nlpfeat has not written these bytes, or a newer one has.

    Raises
    ------
    ForeignError
        With the reason and the remedy.
    """
    manifest = None
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if {MANIFEST, SCHEMA} <= set(archive.namelist()):
                manifest = json.loads(archive.read(MANIFEST))
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise ForeignError(
            "nlpfeat.save did not write it, or it is damaged. Give a file that it wrote."
        )
    version = str(manifest.get("nlpfeat"))
    if _release(version) > _release(__version__):
        raise ForeignError(
            f"it was saved by nlpfeat {version}, and this is {__version__}. "
            "Upgrade with: pip install --upgrade nlpfeat"
        )


def _release(version: str) -> list[int]:
    """Return the numbers of a release; a development version counts as the release to come."""
    return [int(number) for number in re.findall(r"\d+", version)[:3]]
