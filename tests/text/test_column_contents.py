"""What the cells of a table tell of its columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.column_contents import find_text, is_value, may_be_label, names_columns
from nlpfeat.text.columns import ColumnChoice, Columns, choose_columns, choose_keys

POEMS = ["床前明月光", "疑是地上霜", "举头望明月", "低头思故乡", "春眠不觉晓", "处处闻啼鸟"]
NAMES = ["李白", "王之涣", "孟浩然", "杜甫", "王维", "贾岛"]
CLASSES = ["绝句", "律诗"] * 3


def rows_of(text: str) -> list[list[str]]:
    return [line.split(",") for line in text.split()]


def choose(table: str, **choice: str | int) -> Columns:
    return choose_columns(rows_of(table), ColumnChoice(**choice), "a.csv")


def numbered(*columns: list[str]) -> list[list[str]]:
    return [list(row) for row in zip(map(str, range(1, 7)), *columns)]


class TestValues:
    @pytest.mark.parametrize(
        "cell",
        ["1", "-2.5", "1,234.5", "1e-9", "50%", "５％", "¥3.5", "2026-01-02", "2026年1月2日",
         "12:30", "2026-01-02T03:04:05Z", "B0012", "a7", "3f2a-9c", "https://例子.cn/诗", "a@b.cn",
         "", "  ", "NaN", "-", "无", "9" * 999],
    )  # fmt: skip
    def test_no_text(self, cell: str) -> None:
        assert is_value(cell)

    @pytest.mark.parametrize(
        "cell", ["诗", "text", "5月的雨", "Room 12", "好@张三", "第1条", "……", "9" * 999 + "好"]
    )
    def test_words(self, cell: str) -> None:
        assert not is_value(cell)

    def test_a_long_cell_costs_little(self) -> None:
        assert is_value("1" * 10_000_000)


class TestHeaders:
    @pytest.mark.parametrize(
        "table",
        [
            "编号,诗句,作者 1,床前明月光,李白 2,春眠不觉晓,孟浩然",
            "编号,诗句,作者 1,床前明月光,李白",
            "诗句,评分 床前明月光,5 春眠不觉晓,4",
            "x,y,n_xy,pmi 学习,语言,12,0.1 天,地,3,",
            "日期,诗句 2026-01-02,床前明月光 2026-01-03,春眠不觉晓",
            ",poem 0,床前明月光 1,春眠不觉晓",
            "poem,author 床前明月光,李白 春眠不觉晓,孟浩然",
        ],
    )
    def test_names(self, table: str) -> None:
        assert names_columns(rows_of(table))

    @pytest.mark.parametrize(
        "table",
        [
            "编号,诗句",
            "床前明月光,李白 春眠不觉晓,孟浩然",
            "1,床前明月光 2,春眠不觉晓",
            "真冷,坏 666,好",
            "真冷,无 很好,5 一般,3",
            "这家店，真冷！,三 很好,5 一般,3",
            ",床前明月光 7,春眠不觉晓 9,处处闻啼鸟",
            "OK,好 真冷,坏 一般,坏",
            "诗句,作者 ,",
        ],
    )
    def test_documents(self, table: str) -> None:
        assert not names_columns(rows_of(table))

    def test_a_name_that_is_shorter_than_any_of_many_texts(self) -> None:
        texts = [[text * 2, "晨报"] for text in POEMS] * 4  # of ten characters each
        assert names_columns([["新闻", "来源"], *texts])
        assert names_columns([["新闻标题"], *[text[:1] for text in texts]])
        assert not names_columns([["新闻标题栏", "来源"], *texts])  # half of the others
        assert not names_columns([["新闻", "来源"], *texts, ["新闻", "晨报"]])
        assert not names_columns([["新闻", "来源"], *texts[:19]])


class TestText:
    def test_the_longest_of_the_columns(self) -> None:
        assert find_text(numbered(NAMES, POEMS), range(3)) == (2, [2])
        assert find_text(numbered(POEMS), range(2)) == (1, [1])

    def test_two_that_could_be_meant(self) -> None:
        rows = numbered(NAMES, POEMS, POEMS[::-1])
        assert find_text(rows, range(4)) == (None, [2, 3])
        assert find_text(rows, [0, 1, 3]) == (3, [3])

    def test_short_or_repeated_cells_are_not_clearly_the_text(self) -> None:
        assert find_text(numbered(["晴"] * 6, ["冷", "好"] * 3), range(3)) == (None, [1, 2])
        assert find_text(numbered(NAMES, ["人民日报海外版"] * 6), range(3)) == (None, [1, 2])
        copies = [["1", "床前明月光", "绝句"]] * 6
        assert find_text(copies, range(3)) == (1, [1])

    def test_words_of_an_alphabet_are_as_long_as_characters(self) -> None:
        shakespeare = ["William Shakespeare"] * 6
        assert find_text(numbered(shakespeare, POEMS), range(3)) == (2, [2])

    def test_no_words(self) -> None:
        assert find_text(numbered(["a7", "a8", "", "无", "b1", "b2"]), range(2)) == (None, [])

    @given(st.permutations(range(4)))
    def test_the_order_of_columns_changes_nothing(self, order: list[int]) -> None:
        rows = numbered(NAMES, POEMS, CLASSES)
        assert find_text([[row[at] for at in order] for row in rows], range(4))[0] == order.index(2)


class TestLabels:
    def test_few_different_ones(self) -> None:
        assert may_be_label(numbered(CLASSES), 1)
        assert not may_be_label(numbered(CLASSES), 0)
        assert may_be_label(numbered(NAMES)[:3], 1)

    def test_a_wide_table_without_names(self) -> None:
        wide = numbered(POEMS, CLASSES)
        assert choose_columns(wide, ColumnChoice(), "a.csv") == (1, 2, None, False, 2, 3)
        wide = numbered(POEMS, NAMES)
        assert choose_columns(wide, ColumnChoice(), "a.csv") == (1, None, None, False, 2, 3)

    def test_two_columns_without_names(self) -> None:
        def chosen(first: list[str], second: list[str]) -> tuple[int, int | None]:
            rows = list(zip(first, second))
            return choose_columns(rows, ColumnChoice(), "a.tsv")[:2]

        assert chosen(POEMS, CLASSES) == chosen(POEMS, NAMES) == (0, 1)
        assert chosen(NAMES, POEMS) == (1, None)
        assert chosen(NAMES[:3], POEMS[:3]) == (0, 1)  # too few rows to tell by
        assert chosen(CLASSES, POEMS) == chosen(["1", "0"] * 3, POEMS) == (1, 0)
        assert chosen(CLASSES[:2], POEMS[:2]) == chosen(CLASSES, NAMES) == (0, 1)
        assert chosen(list("123456"), POEMS) == (1, None)
        assert chosen(["a1", "a2"], ["7", "8"]) == (0, 1)


class TestChoice:
    def test_a_number_means_no_header_unless_the_first_row_differs_in_kind(self) -> None:
        assert not choose("作者,诗句 李白,床前明月光 王维,红豆生南国", text=2).has_header
        assert choose("编号,诗句,作者 1,床前明月光,李白 2,春眠不觉晓,孟浩然", text=3) == (
            2, None, None, True, 3, None,
        )  # fmt: skip

    def test_usual_names_win(self) -> None:
        assert choose("内容,介绍 甲,床前明月光 乙,春眠不觉晓").text == 0

    def test_usual_labels_leave_the_text_to_the_cells(self) -> None:
        columns = choose("作者,诗句,类别 李白,床前明月光,绝句 王维,红豆生南国,绝句")
        assert (columns.text, columns.label, columns.has_header) == (1, 2, True)

    def test_a_given_label_leaves_the_other_column(self) -> None:
        assert choose("好,真香 坏,真臭", label=1)[:3] == (1, 0, None)

    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ("x,y,n_xy 学习,语言,12 天,地,3", "could be in 'x' or 'y'. Its columns are 'x', 'y', "),
            ("学习,语言,12 天,地,3", "could be in column 1 or 2. There is no header; the first "),
            ("1,2,3 4,5,6", "none of its columns holds words. There is no header; the first row"),
        ],
    )
    def test_what_cannot_be_known_is_asked_for(self, table: str, message: str) -> None:
        with pytest.raises(InvalidParameterError, match=r"given for a\.csv \(--text-column\): .*"
                           + message):  # fmt: skip
            choose(table)

    def test_keys_of_json_lines(self) -> None:
        objects = [{"no": n, "by": by, "poem": poem, "tags": None}
                   for n, (by, poem) in enumerate(zip(NAMES, POEMS))]  # fmt: skip
        assert choose_keys(objects, ColumnChoice(), "a.jsonl").text == "poem"
        assert choose_keys(objects[1:2], ColumnChoice(), "a.jsonl").text == "poem"
        with pytest.raises(InvalidParameterError, match="its text could be in 'by' or 'poem'"):
            choose_keys([{"by": "李白人", "poem": "床前明"}], ColumnChoice(), "a.jsonl")
