"""Colors can be read: contrast as WCAG 2.1 defines it, in light and in dark."""

import re
from importlib.resources import files

import pytest

from nlpfeat.rendering.themes import BLUE, GREY, HEAT_EDGES, ORANGE, THEMES, is_strong

CSS = files("nlpfeat.rendering").joinpath("templates", "page.css").read_text("utf-8")


def luminance(color):
    shares = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
              for each in shares]  # fmt: skip
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def variables(theme):
    blocks = re.findall(r":root \{(.*?)\n\s*\}", CSS, re.S)
    found = {}
    for block in blocks[: 1 if theme == "light" else 2]:
        found |= dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", block))
    return found


def test_contrast_by_hand():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
class TestContrast:
    def test_numbers_in_every_cell_of_the_heat_map(self, theme):
        config = THEMES[theme]
        colors = config["range"]["heatmap"]
        lows = [0.0, *HEAT_EDGES]
        assert len(colors) == len(lows)
        for low, color in zip(lows, colors):
            style = "on-strong" if is_strong(low) else "on-weak"
            assert contrast(color, config["style"][style]["color"]) >= 4.5, (low, color)

    def test_words_of_charts_on_the_page(self, theme):
        config, paper = THEMES[theme], variables(theme)["paper"]
        words = [config[part]["labelColor"] for part in ("axis", "axisY", "legend")]
        for color in (*words, config["style"]["label"]["color"]):
            assert contrast(color, paper) >= 4.5

    def test_marks_on_the_page(self, theme):
        paper = variables(theme)["paper"]
        for color in (BLUE, ORANGE, GREY, *THEMES[theme]["range"]["category"]):
            assert contrast(color, paper) >= 3.0, color

    @pytest.mark.parametrize("background", ["paper", "card"])
    def test_words_of_the_page(self, theme, background):
        colors = variables(theme)
        for name in ("ink", "muted", "accent", "better", "worse"):
            assert contrast(colors[name], colors[background]) >= 4.5, name
