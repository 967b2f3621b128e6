"""A font with Chinese characters, for pictures that cannot leave it to the reader."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

#: Families by the beginning of their file's name, the best first.
CHINESE_FONTS = {
    "notosanscjk": "Noto Sans CJK SC",
    "notosanssc": "Noto Sans SC",
    "sourcehansanssc": "Source Han Sans SC",
    "sourcehansans": "Source Han Sans SC",
    "pingfang": "PingFang SC",
    "hiragino sans gb": "Hiragino Sans GB",
    "stheiti": "Heiti SC",
    "msyh": "Microsoft YaHei",
    "deng": "DengXian",
    "wqy-microhei": "WenQuanYi Micro Hei",
    "wqy-zenhei": "WenQuanYi Zen Hei",
    "droidsansfallback": "Droid Sans Fallback",
    "notoserifcjk": "Noto Serif CJK SC",
    "simhei": "SimHei",
    "simsun": "SimSun",
    "arial unicode": "Arial Unicode MS",
    "uming": "AR PL UMing CN",
    "ukai": "AR PL UKai CN",
}
_ENDINGS = (".ttf", ".ttc", ".otf", ".otc")


def chinese_font(folders: Sequence[Path] | None = None) -> str | None:
    """Return the family of an installed font with Chinese characters, the best that is known.

    Parameters
    ----------
    folders : sequence of Path, optional
        Where to look; where the system keeps fonts by default.

    Returns
    -------
    str or None
        None when there is none of `CHINESE_FONTS`.
    """
    return _best(tuple(folders if folders is not None else font_folders()))


@lru_cache(maxsize=4)
def _best(folders: tuple[Path, ...]) -> str | None:
    names = {name for folder in folders for name in _font_files(folder)}
    for start, family in CHINESE_FONTS.items():
        if any(name.startswith(start) for name in names):
            return family
    return None


def _font_files(folder: Path) -> Iterator[str]:
    for _, _, names in os.walk(folder):
        yield from (name.lower() for name in names if name.lower().endswith(_ENDINGS))


def font_folders() -> list[Path]:
    """Return the folders in which this system keeps fonts."""
    home = Path.home()
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"]
    if sys.platform == "win32":
        windows = Path(os.environ.get("WINDIR", r"C:\Windows"))
        local = Path(os.environ.get("LOCALAPPDATA", str(home / "AppData/Local")))
        return [windows / "Fonts", local / "Microsoft/Windows/Fonts"]
    shared = os.environ.get("XDG_DATA_HOME") or str(home / ".local/share")
    return [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path(shared) / "fonts",
            home / ".fonts"]  # fmt: skip
