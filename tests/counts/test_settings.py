import numpy as np
import pytest

from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize("window", [0, -1, "x", "5", 2.5, True, None, [2]])
def test_windows_that_cannot_be(window):
    message = r"window \(an integer or 'all'\) must be an integer that is at least 1\. Got "
    with pytest.raises(InvalidParameterError, match=message):
        CountingSettings(window).validate()


def test_a_window_beyond_any_document_is_refused():
    # Sums of positions and such a window would wrap around.
    assert CountingSettings(2**31 - 1).validate().window == 2**31 - 1
    with pytest.raises(InvalidParameterError, match=r"at most 2,147,483,647.*Got 2,147,483,648"):
        CountingSettings(2**31).validate()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scope": "sentance"}, r"scope must be one of 'document', 'sentence'.*mean 'sentence'"),
        ({"direction": "rigth"}, r"direction must be one of 'both', 'right'.*mean 'right'"),
        ({"direction": None}, r"direction must be one of 'both', 'right', 'left'\. Got None"),
        ({"weighting": "liner"}, r"weighting must be one of 'flat'.*mean 'linear'"),
        ({"counting": "window"}, r"counting must be one of 'pairs', 'windows'.*mean 'windows'"),
        ({"counting": "textgcn", "direction": "right"}, r"counting='textgcn' has no order.*'both'"),
        ({"counting": "windows", "direction": "left"}, r"counting='windows' has no order.*'left'"),
        ({"window": "all", "direction": "right"}, r"window='all' has no order.*Got 'right'"),
        ({"window": "all", "weighting": "harmonic"}, r"window='all' has no distances.*'harmonic'"),
        ({"window": "all", "weighting": [1, 0.5]}, r"window='all' has no distances.*\[1, 0\.5\]"),
        ({"window": "all", "weighting": "liner"}, r"weighting must be one of .*mean 'linear'"),
        ({"counting": "windows", "weighting": "linear"}, r"counting='windows' has no distances"),
        ({"window": "all", "counting": "windows"}, r"counting='windows' needs a window of so many"),
        ({"window": "all", "counting": "textgcn"}, r"counting='textgcn' needs a window of so many"),
        ({"window": 2, "weighting": [1, 2, 3]}, r"each of the 2 distances.*Got 3"),
        ({"window": 2, "weighting": [1, -1]}, r"not negative.*Got \[1\.0, -1\.0\]"),
        ({"window": 2, "weighting": [np.nan, 1]}, r"finite.*Got \[nan, 1\.0\]"),
    ],
)
def test_settings_that_do_not_go_together(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        CountingSettings(**settings).validate()


def test_defaults_are_valid_and_unchanged():
    settings = CountingSettings()
    assert settings.validate() == settings
    assert (settings.window, settings.scope, settings.direction) == (5, "document", "both")
    assert (settings.weighting, settings.counting) == ("flat", "pairs")


def test_numbers_of_numpy_become_plain():
    settings = CountingSettings(np.int64(2), weighting=np.array([1, 0.5])).validate()
    assert type(settings.window) is int
    assert settings.weighting == (1.0, 0.5)
    assert settings.weights.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("settings", "reaches", "weights"),
    [
        ({"window": 3}, [(1, 3)], None),
        ({"window": 3, "weighting": "harmonic"}, [(1, 1), (2, 2), (3, 3)], [1, 1 / 2, 1 / 3]),
        ({"window": 2, "weighting": [3, 1]}, [(1, 1), (2, 2)], [3, 1]),
        ({"window": 2, "weighting": lambda d: 5 - d}, [(1, 1), (2, 2)], [4, 3]),
        ({"window": "all"}, [(0, 0)], None),
        ({"window": 3, "counting": "windows"}, [(0, 0)], None),
    ],
)
def test_one_slice_or_one_for_each_distance(settings, reaches, weights):
    chosen = CountingSettings(**settings).validate()
    assert chosen.reaches == reaches
    assert (None if chosen.weights is None else chosen.weights.tolist()) == weights


def test_a_weighted_window_has_a_widest_since_each_distance_costs_a_table():
    assert CountingSettings(1_000, weighting="linear").validate().window == 1_000
    with pytest.raises(InvalidParameterError, match=r"at most 1,000 unless .*Got 1,001"):
        CountingSettings(1_001, weighting="linear").validate()
    assert CountingSettings(1_000_000).validate().window == 1_000_000
