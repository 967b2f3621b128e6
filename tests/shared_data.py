"""Where the text collection beside the checkout is, for tests marked `shared`."""

from pathlib import Path

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"
HEADLINES = SHARED_DATA / "headlines"
