"""``nlpfeat pmi``: what each option does to the table."""

import math
from collections import Counter
from itertools import chain
from unicodedata import category

import pytest

from nlpfeat.datasets import load_everyday
from nlpfeat.measures import MEASURES

# Cut already, so that everything can be counted by hand.
TEA = "茶 叶 茶 水\n茶 杯\n"
EACH = ("--segmenter", "whitespace", "--min-count", "1")


@pytest.fixture
def tea(write) -> str:
    return write("tea.txt", TEA)


def count_pairs(sentences_of, window, direction="both", scope="document", weight=lambda d: 1):
    """Count by the definition: every two places at most ``window`` apart, None being a gap."""
    found: Counter[tuple[str, str]] = Counter()
    for document in sentences_of:
        units = document if scope == "sentence" else [list(chain.from_iterable(document))]
        for unit in units:
            for i, x in enumerate(unit):
                for distance in range(1, min(window, len(unit) - 1 - i) + 1):
                    y = unit[i + distance]
                    if x is not None and y is not None:
                        if direction in ("right", "both"):
                            found[x, y] += weight(distance)
                        if direction in ("left", "both"):
                            found[y, x] += weight(distance)
    return found


def expected_rows(found, min_count=1, base=2.0, smoothing=1.0, once=True):
    """Return the rows of the default table of these counts, in its order."""
    n_x, n_y = Counter(), Counter()
    for (x, y), count in found.items():
        n_x[x] += count
        n_y[y] += count
    total = sum(found.values())
    smoothed = {y: count**smoothing for y, count in n_y.items()}
    scale = sum(smoothed.values()) if smoothing != 1 else total
    table = []
    for (x, y), count in found.items():
        occurrences = count / 2 if once and x == y else count
        if occurrences >= min_count and (x <= y or not once):
            pmi = math.log(count * scale / (n_x[x] * smoothed[y]), base)
            table.append((x, y, count, n_x[x], n_y[y], pmi))
    return sorted(table, key=lambda row: (-round(row[5], 9), -row[2], row[0], row[1]))


def same(got, expected):
    assert [row[:2] for row in got] == [list(row[:2]) for row in expected]
    for cells, wanted in zip(got, expected):
        assert [float(cell) for cell in cells[2:]] == pytest.approx(
            wanted[2:], rel=1e-12, abs=1e-12
        )


class TestTable:
    def test_golden(self, run, tea) -> None:
        # 茶 stands beside 叶 twice, 水 once, 杯 once. Each pair is counted from both sides:
        # N = 8, n(茶) = 4, n(叶) = 2; pmi(叶, 茶) = log2(2 * 8 / (2 * 4)) = 1, and so the others.
        result = run("pmi", tea, "--window", "1", *EACH)
        assert result.stdout_bytes.decode("utf-8") == (
            "x\ty\tn_xy\tn_x\tn_y\tpmi\n"
            "叶\t茶\t2\t2\t4\t1.0\n"
            "杯\t茶\t1\t1\t4\t1.0\n"
            "水\t茶\t1\t1\t4\t1.0\n"
        )
        assert "2 documents, 6 tokens, 4 terms; N = 8; 3 pairs" in result.stderr

    def test_a_word_beside_itself(self, rows, write) -> None:
        # One pair of places, which stands in the table from either side: n_xy = 2 of N = 2.
        assert rows(write("a.txt", "好 好\n"), *EACH) == [["好", "好", "2", "2", "2", "0.0"]]

    def test_sorted_by_first_measure_then_count_then_code_points(self, rows, write) -> None:
        path = write("a.txt", "一 丁\n三 上\n三 上\n七 丁\n")
        got = rows(path, *EACH, "--window", "1")
        # pmi(一,丁) = log2(1*8/(1*2)) = 2 = pmi(三,上) = log2(2*8/(2*2)) = pmi(丁,七)
        assert [row[:3] for row in got] == [["三", "上", "2"], ["一", "丁", "1"], ["丁", "七", "1"]]
        assert {row[5] for row in got} == {"2.0"}

    def test_a_column_for_each_measure(self, run, tea) -> None:
        named = [part for name in MEASURES for part in ("--measure", name)]
        table = run("pmi", tea, "-w", "1", *EACH, *named).stdout.splitlines()
        assert table[0].split("\t") == ["x", "y", "n_xy", "n_x", "n_y", *MEASURES]
        first = dict(zip(table[0].split("\t"), table[1].split("\t")))
        # dice(叶, 茶) = 2 * 2 / (2 + 4); p(茶|叶) - p(茶|not 叶) = 2/2 - 2/6
        assert float(first["dice"]) == pytest.approx(2 / 3)
        assert float(first["logdice"]) == pytest.approx(14 + math.log2(2 / 3))
        assert float(first["npmi"]) == pytest.approx(1 / 2)
        assert float(first["delta_p"]) == pytest.approx(2 / 3)

    def test_the_first_measure_sorts(self, rows, tea) -> None:
        got = rows(tea, "-w", "1", *EACH, "-m", "t", "-m", "pmi")
        values = [float(row[5]) for row in got]
        assert values == sorted(values, reverse=True)
        assert len(set(values)) > 1

    def test_default_is_window_5_and_min_count_5(self, rows, write) -> None:
        text = "".join("茶 一 二 三 四 叶 杯\n" for _ in range(5)) + "".join("水 火\n" * 4)
        got = rows(write("a.txt", text), "--segmenter", "whitespace")
        pairs = {(row[0], row[1]) for row in got}
        assert ("叶", "茶") in pairs
        assert ("杯", "茶") not in pairs
        assert ("水", "火") not in pairs

    def test_real_text_equals_a_count_by_hand(self, rows, jieba_cut) -> None:
        documents = []
        for text in load_everyday():
            words = [word for word in jieba_cut(text) if not word.isspace()]
            documents.append([[None if is_mark(word) else word.lower() for word in words]])
        got = rows("dataset:everyday", "--window", "5")
        same(got, expected_rows(count_pairs(documents, 5), min_count=5))


def is_mark(word: str) -> bool:
    return all(category(character).startswith("P") for character in word)


SENTENCES = [
    [["茶", "叶", "茶", None], ["水", "茶", "杯", None]],
    [["水", "杯", "水", "茶"]],
]
CUT = "茶 叶 茶 。 水 茶 杯 ！\n水 杯 水 茶\n"


class TestCounting:
    @pytest.fixture
    def cut(self, write) -> str:
        return write("cut.txt", CUT)

    @pytest.mark.parametrize("window", [1, 2, 3, 100])
    @pytest.mark.parametrize("scope", ["document", "sentence"])
    def test_window_and_scope(self, rows, cut, window, scope) -> None:
        got = rows(cut, "--window", str(window), "--scope", scope, *EACH)
        same(got, expected_rows(count_pairs(SENTENCES, window, scope=scope)))

    @pytest.mark.parametrize("direction", ["right", "left"])
    def test_direction(self, rows, cut, direction) -> None:
        got = rows(cut, "--window", "2", "--direction", direction, *EACH)
        same(got, expected_rows(count_pairs(SENTENCES, 2, direction), once=False))

    def test_direction_by_hand(self, rows, write) -> None:
        path = write("a.txt", "甲 乙\n甲 乙\n乙 甲\n")
        right = {(x, y): n for x, y, n, *_ in rows(path, "--direction", "right", *EACH)}
        left = {(x, y): n for x, y, n, *_ in rows(path, "--direction", "left", *EACH)}
        assert right == {("甲", "乙"): "2", ("乙", "甲"): "1"}
        assert left == {("乙", "甲"): "2", ("甲", "乙"): "1"}

    @pytest.mark.parametrize(
        ("name", "weight"), [("harmonic", lambda d: 1 / d), ("linear", lambda d: (3 - d + 1) / 3)]
    )
    def test_weighting(self, rows, cut, name, weight) -> None:
        got = rows(cut, "--window", "3", "--weighting", name, *EACH)
        same(got, expected_rows(count_pairs(SENTENCES, 3, weight=weight), min_count=0))

    def test_weighted_pairs_are_pruned_by_their_number(self, rows, write) -> None:
        path = write("a.txt", "甲 乙\n甲 乙\n甲 乙\n丙 丁\n")
        got = rows(path, "--weighting", "linear", "-w", "2", "--segmenter", "whitespace",
                   "--min-count", "3")  # fmt: skip
        assert [row[:2] for row in got] == [["乙", "甲"]]

    def test_window_all_counts_documents(self, rows, write) -> None:
        # 茶 in both documents, 叶 and 水 in one: n_xy = 1, n_x = 1, n_y = 2 of N = 2; pmi 0.
        got = rows(
            write("a.txt", "茶 叶 茶\n水 一 二 三 四 五 六 七 茶\n"), "--window", "all", *EACH
        )
        assert ["叶", "茶", "1", "1", "2", "0.0"] in got
        assert ["水", "茶", "1", "1", "2", "0.0"] in got
        assert all(x != y for x, y, *_ in got)
        assert ("叶", "水") not in {(x, y) for x, y, *_ in got}

    def test_window_all_within_sentences(self, rows, cut) -> None:
        got = rows(cut, "--window", "all", "--scope", "sentence", *EACH)
        # Three sentences; 茶 in all, 叶 in one: log2(1 * 3 / (1 * 3)) = 0.
        assert ["叶", "茶", "1", "1", "3", "0.0"] in got
        assert ["水", "茶", "2", "2", "3", "0.0"] in got

    def test_sliding_windows(self, rows, write) -> None:
        # 甲 乙 丙 has two windows of two: 甲乙, 乙丙. n(乙) = 2, N = 2.
        got = rows(write("a.txt", "甲 乙 丙\n"), "-w", "2", "--counting", "windows", *EACH)
        assert got == [["丙", "乙", "1", "1", "2", "0.0"], ["乙", "甲", "1", "2", "1", "0.0"]]

    def test_text_gcn(self, rows, write) -> None:
        # Windows 甲乙甲 and 乙甲乙: 甲 and 乙 are in both (n = 2, N = 2); each holds two pairs of
        # places with both words: n_xy = 4, and log2(4 * 2 / (2 * 2)) = 1.
        got = rows(write("a.txt", "甲 乙 甲 乙\n"), "-w", "3", "--counting", "textgcn", *EACH)
        assert got == [["乙", "甲", "4", "2", "2", "1.0"]]

    def test_punctuation_leaves_a_gap(self, rows, write) -> None:
        path = write("a.txt", "茶 ， 叶\n")
        assert rows(path, "-w", "2", *EACH) == [["叶", "茶", "1", "1", "1", "1.0"]]
        kept = rows(path, "-w", "1", "--keep-punctuation", *EACH)
        assert [row[:2] for row in kept] == [["叶", "，"], ["茶", "，"]]

    def test_no_pair_over_the_end_of_a_document(self, rows, write) -> None:
        got = rows(write("a.txt", "春 花\n秋 月\n"), "-w", "3", *EACH)
        assert {(x, y) for x, y, *_ in got} == {("春", "花"), ("月", "秋")}

    def test_a_file_as_a_document(self, rows, write) -> None:
        got = rows(write("a.txt", "春 花\n秋 月\n"), "-w", "3", "--unit", "file", *EACH)
        assert ("春", "秋") in {(x, y) for x, y, *_ in got}


class TestMeasureOptions:
    @pytest.mark.parametrize(("name", "base"), [("2", 2), ("10", 10), ("e", math.e)])
    def test_base(self, rows, write, name, base) -> None:
        got = rows(write("a.txt", CUT), "-w", "2", "--base", name, *EACH)
        same(got, expected_rows(count_pairs(SENTENCES, 2), base=base))

    def test_smoothing(self, rows, write) -> None:
        got = rows(write("a.txt", CUT), "-w", "2", "--smoothing", "0.75", "--direction", "right",
                   *EACH)  # fmt: skip
        same(got, expected_rows(count_pairs(SENTENCES, 2, "right"), smoothing=0.75, once=False))

    def test_shift(self, rows, tea) -> None:
        # All pmi are 1; with k = 2 nothing is left, and a ppmi of 0 is still a row.
        assert {row[5] for row in rows(tea, "-w", "1", "-m", "ppmi", *EACH)} == {"1.0"}
        shifted = rows(tea, "-w", "1", "-m", "ppmi", "--shift", "2", *EACH)
        assert {float(row[5]) for row in shifted} == {0.0}
        deeper = rows(tea, "-w", "1", "-m", "ppmi", "--shift", "0.5", *EACH)
        assert {float(row[5]) for row in deeper} == {2.0}

    def test_signed(self, rows, write) -> None:
        path = write("a.txt", "甲 乙\n" * 9 + "丙 丁\n" * 9 + "甲 丁\n")
        values = {(x, y): float(g2) for x, y, *_, g2 in rows(path, "-m", "g2", *EACH)}
        signed = {(x, y): float(g2) for x, y, *_, g2 in rows(path, "-m", "g2", "--signed", *EACH)}
        assert min(values.values()) > 0
        assert signed["丁", "甲"] == -values["丁", "甲"]
        assert signed["乙", "甲"] == values["乙", "甲"]


class TestFilters:
    @pytest.fixture
    def text(self, write) -> str:
        return write("a.txt", "茶 叶\n" * 3 + "茶 水\n" * 2 + "杯 水\n")

    def test_min_count_keeps_margins(self, rows, text) -> None:
        every = rows(text, *EACH)
        got = rows(text, "--segmenter", "whitespace", "--min-count", "2")
        assert got == [row for row in every if int(row[2]) >= 2]
        assert [row[:3] for row in got] == [["叶", "茶", "3"], ["水", "茶", "2"]]

    def test_min_term_count(self, rows, text) -> None:
        got = rows(text, "--min-term-count", "2", *EACH)
        assert {word for row in got for word in row[:2]} == {"茶", "叶", "水"}

    def test_max_terms(self, rows, text) -> None:
        # 茶 5, 叶 3, 水 3 (the tie is broken by code point), 杯 1
        got = rows(text, "--max-terms", "2", *EACH)
        assert [row[:2] for row in got] == [["叶", "茶"]]

    def test_top(self, rows, text) -> None:
        assert rows(text, "--top", "2", *EACH) == rows(text, *EACH)[:2]

    def test_stop_words(self, rows, write, text) -> None:
        stop = write("stop.txt", "茶\n\n没有\n", encoding="gbk")
        got = rows(text, "--stop-words", stop, *EACH)
        assert [row[:2] for row in got] == [["杯", "水"]]

    def test_stop_words_that_are_cut_apart_are_told(self, run, write) -> None:
        stop = write("stop.txt", "今天天气很好\n")
        text = write("a.txt", "今天天气很好，我们去公园。\n")
        result = run("pmi", text, "--stop-words", stop, "--min-count", "1")
        assert "今天天气很好 (今天天气 很 好)" in result.stderr


class TestWord:
    @pytest.fixture
    def text(self, write) -> str:
        return write("a.txt", "公园 VIP 茶\n公园 花\n茶 杯\n")

    def test_only_pairs_with_one_of_the_words(self, rows, text) -> None:
        every = rows(text, *EACH)
        assert rows(text, "--word", "花", *EACH) == [row for row in every if "花" in row[:2]]
        either = rows(text, "--word", "花", "--word", "杯", *EACH)
        assert either == [row for row in every if {"花", "杯"} & set(row[:2])]

    def test_is_normalized_as_the_text_is(self, rows, text) -> None:
        assert rows(text, "--word", "ＶＩＰ", *EACH)
        assert rows(text, "--word", "VIP", "--no-lowercase", *EACH)

    def test_unknown_word_offers_the_closest(self, run, text) -> None:
        result = run("pmi", text, "--word", "公圆", *EACH, code=1)
        assert result.stderr.splitlines()[-1] == (
            "nlpfeat: '公圆' is no word of the text. Did you mean '公园'?"
        )
        assert result.stdout == ""

    def test_word_that_was_left_out(self, run, text) -> None:
        result = run("pmi", text, "--word", "花", "--min-term-count", "2", *EACH, code=1)
        assert "or it was left out (--min-term-count, --max-terms, --stop-words)" in result.stderr

    def test_word_that_is_cut_apart_is_told_how(self, run, rows, write) -> None:
        text = write("b.txt", "云原生底座很稳。\n")
        result = run("pmi", text, "--word", "云原生底座", "--min-count", "1", code=1)
        assert "'云原生底座' is no word of the text: it is cut into 云 原生 底座." in result.stderr
        assert "--user-word 云原生底座" in result.stderr
        word = "云原生底座"
        assert rows(text, "--word", word, "--user-word", word, "--min-count", "1")

    def test_word_without_a_frequent_pair(self, run, write) -> None:
        text = write("b.txt", "茶 叶\n" * 5 + "花 草\n")
        result = run("pmi", text, "--word", "花", "--segmenter", "whitespace")
        assert result.stdout == "x\ty\tn_xy\tn_x\tn_y\tpmi\n"
        assert "No pair of these words occurs at least 5 times." in result.stderr


class TestSegmentation:
    def words(self, rows, *arguments) -> set[str]:
        got = rows(*arguments, "--min-count", "1", "--window", "50")
        return {word for row in got for word in row[:2]}

    def test_characters(self, rows, write) -> None:
        assert self.words(rows, write("a.txt", "天气，好\n"), "--segmenter", "char") == set(
            "天气好"
        )

    def test_engines_agree(self, rows) -> None:
        rust = rows("dataset:everyday")
        assert rust == rows("dataset:everyday", "--engine", "python")
        assert len(rust) > 100

    def test_without_guessed_words(self, rows, write) -> None:
        text = write("a.txt", "他来到了网易杭研大厦\n")
        assert "杭研" in self.words(rows, text)
        assert "杭研" not in self.words(rows, text, "--no-hmm")

    @pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
    def test_user_dictionary(self, rows, write, encoding) -> None:
        text = write("a.txt", "云原生底座很稳\n")
        entries = write("dict.txt", "云原生底座 100 n\n", encoding=encoding)
        assert "云原生底座" in self.words(rows, text, "--user-dict", entries)

    def test_user_dictionary_entries_that_never_match_are_told(self, run, write) -> None:
        text = write("a.txt", "型号A/B已到货\n")
        entries = write("dict.txt", "型号A/B 100 n\n")
        assert "型号A/B" in run("pmi", text, "--user-dict", entries, "--min-count", "1").stderr

    def test_user_words_always_win(self, rows, write) -> None:
        text = write("a.txt", "型号A/B已到货\n")
        assert "型号a/b" in self.words(rows, text, "--user-word", "型号A/B")

    def test_folding_and_lower_case(self, rows, write) -> None:
        text = write("a.txt", "Ａ股 A股 a股\n")
        cut = ("--segmenter", "whitespace")
        assert self.words(rows, text, *cut) == {"a股"}
        assert self.words(rows, text, *cut, "--no-fold-width") == {"ａ股", "a股"}
        assert self.words(rows, text, *cut, "--no-lowercase") == {"A股", "a股"}
        both = self.words(rows, text, *cut, "--no-lowercase", "--no-fold-width")
        assert both == {"Ａ股", "A股", "a股"}
