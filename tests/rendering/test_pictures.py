"""Charts as SVG and PNG, and the font that Chinese takes in a PNG."""

import struct
import xml.etree.ElementTree as ET

import altair
import pytest

from nlpfeat.rendering import chart_png, chart_svg, fonts
from nlpfeat.rendering import pictures as module
from nlpfeat.rendering.charts import chart_data
from nlpfeat.rendering.fonts import chinese_font
from nlpfeat.rendering.pictures import WIDTH, lacks_chinese_font

EVIL = "</svg><script>alert(1)</script>"


def bars(text):
    return (
        altair.Chart(chart_data([{"word": text, "n": 3}]))
        .mark_bar()
        .encode(x="n:Q", y=altair.Y("word:N", title=None))
        .properties(width="container", height=40)
    )


def test_svg_keeps_text_as_text():
    tree = ET.fromstring(chart_svg(bars("语言")))
    texts = {element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")}
    assert "语言" in texts
    assert float(tree.attrib["width"]) > WIDTH


def test_svg_of_a_hostile_text_has_no_other_element():
    tree = ET.fromstring(chart_svg(bars(EVIL)))
    assert {element.tag.split("}")[1] for element in tree.iter()} <= {
        "svg", "g", "path", "line", "text", "rect", "style", "defs"
    }  # fmt: skip
    assert EVIL in "".join(tree.itertext())


def test_png():
    picture = chart_png(bars("word"))
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, _ = struct.unpack(">II", picture[16:24])
    assert width > 2 * WIDTH


def test_equal_charts_are_equal_bytes():
    assert chart_svg(bars("语言")) == chart_svg(bars("语言"))
    assert chart_png(bars("语言")) == chart_png(bars("语言"))


class TestChineseFont:
    @pytest.mark.parametrize(
        ("files", "family"),
        [
            ([], None),
            (["DejaVuSans.ttf"], None),
            (["wqy-microhei.ttc"], "WenQuanYi Micro Hei"),
            (["NotoSansCJK-Regular.ttc", "wqy-microhei.ttc"], "Noto Sans CJK SC"),
            (["MSYH.TTC"], "Microsoft YaHei"),
            (["NotoSansCJK.txt"], None),
        ],
    )
    def test_best_of_what_is_there(self, tmp_path, files, family) -> None:
        folder = tmp_path / "truetype"
        folder.mkdir()
        for name in files:
            (folder / name).touch()
        assert chinese_font([tmp_path]) == family

    def test_a_folder_that_is_not_there(self, tmp_path) -> None:
        assert chinese_font([tmp_path / "none"]) is None

    @pytest.mark.parametrize(
        ("system", "folder"), [("linux", "fonts"), ("darwin", "Fonts"), ("win32", "Fonts")]
    )
    def test_every_system_has_folders(self, system, folder, monkeypatch) -> None:
        monkeypatch.setattr(fonts.sys, "platform", system)
        assert any(path.name == folder for path in fonts.font_folders())

    def test_is_missed_only_by_chinese(self, monkeypatch) -> None:
        monkeypatch.setattr(module, "chinese_font", lambda: None)
        assert lacks_chinese_font(bars("语言"))
        assert not lacks_chinese_font(bars("word"))

    def test_is_not_missed_where_it_is(self, monkeypatch) -> None:
        monkeypatch.setattr(module, "chinese_font", lambda: "Noto Sans CJK SC")
        assert not lacks_chinese_font(bars("语言"))

    def test_draws_other_pixels_for_other_characters(self) -> None:
        if chinese_font() is None:
            pytest.skip("no font with Chinese characters is installed")
        # Boxes of equal width would be the same picture.
        assert chart_png(bars("语")) != chart_png(bars("言"))
