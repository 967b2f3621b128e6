"""Whatever texts hold, they stay text: in JSON inside a script, in a script, in Markdown."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidParameterError
from nlpfeat.rendering.escaping import markdown_text, plain, script_json, script_source

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


class TestPlain:
    def test_by_hand(self) -> None:
        assert plain("a\x00b\ud800c\r\nd\re\t语") == "a�b�c\nd\ne\t语"

    @given(ANY_TEXT)
    def test_can_be_encoded_and_holds_no_control_character(self, text) -> None:
        shown = plain(text)
        assert shown.encode().decode() == shown
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)

    @given(ANY_TEXT)
    def test_twice_is_once(self, text) -> None:
        assert plain(plain(text)) == plain(text)

    @given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"))))
    def test_text_of_people_is_kept(self, text) -> None:
        assert plain(text) == text


class TestScriptJson:
    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("</script>", r'"\u003c/script\u003e"'),
            ("<!--", r'"\u003c!--"'),
            ("]]>", r'"]]\u003e"'),
            ("&amp;", r'"\u0026amp;"'),
            ("a\u2028b\u2029", r'"a\u2028b\u2029"'),
            ("语言", '"语言"'),
        ],
    )
    def test_by_hand(self, text, written) -> None:
        assert script_json(text) == written

    @given(VALUES)
    def test_nothing_that_an_html_parser_looks_for(self, value) -> None:
        written = script_json(value)
        assert not re.search("[<>&\u2028\u2029]", written)
        assert "\ud800" not in written
        written.encode()

    @given(st.dictionaries(st.text("词a<>&'\"\\\u2028"), st.text("词a<>&'\"\\\u2028\n")))
    def test_reads_back(self, value) -> None:
        assert json.loads(script_json(value)) == value

    def test_numbers_are_plain(self) -> None:
        value = {
            "a": np.float64(0.5), "b": np.int64(3), "c": np.bool_(True), "d": np.array([1.5, 2.0]),
            "e": np.float32(0.25), "f": (math.nan, math.inf, -math.inf),
        }  # fmt: skip
        assert script_json(value) == (
            '{"a":0.5,"b":3,"c":true,"d":[1.5,2.0],"e":0.25,"f":[null,null,null]}'
        )

    @pytest.mark.parametrize("value", [1 + 2j, np.complex128(1j), {"x": object()}, {1, 2}])
    def test_what_json_has_no_form_for(self, value) -> None:
        with pytest.raises(InvalidParameterError, match=r"real numbers, bools and None\. Got "):
            script_json(value)

    def test_keys_keep_their_order(self) -> None:
        assert script_json({"b": 1, "a": 2}) == '{"b":1,"a":2}'


class TestScriptSource:
    @pytest.mark.parametrize(
        ("code", "written"),
        [
            ("'</script>'", r"'<\/script>'"),
            ("'</SCRIPT >'", r"'<\/SCRIPT >'"),
            ("'<script>'", r"'<\x73cript>'"),
            ("'<Script>'", r"'<\x53cript>'"),
            ("'<!--'", r"'<\!--'"),
            ("a<b;\r\nc", "a<b;\nc"),
        ],
    )
    def test_by_hand(self, code, written) -> None:
        assert script_source(code) == written

    def test_strings_keep_their_meaning(self) -> None:
        # JSON reads this escape as JavaScript does.
        assert json.loads(script_source('"</script>"')) == "</script>"


class TestMarkdown:
    @pytest.mark.parametrize(
        ("text", "written"),
        [
            ("a|b", r"a\|b"),
            ("`x`", r"\`x\`"),
            ("<img src=x>", r"\<img src=x\>"),
            ("*强*_调_", r"\*强\*\_调\_"),
            ("[a](b)", r"\[a\](b)"),
            ("# 题", r"\# 题"),
            ("1. 甲", r"1\. 甲"),
            ("- 乙", r"\- 乙"),
            ("一\n二\u2028三", "一 二 三"),
            (r"\|", r"\\\|"),
            ("−1.2", "−1.2"),
            ("0.5", "0.5"),
            ("+0.5", "+0.5"),
            ("---", r"\---"),
            ("==", r"\=="),
        ],
    )
    def test_by_hand(self, text, written) -> None:
        assert markdown_text(text) == written

    @given(ANY_TEXT)
    def test_no_bare_pipe_no_markup_no_line_end(self, text) -> None:
        bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", markdown_text(text))
        assert not re.search(r"[|`<>*_\[\]\n]", bare)
