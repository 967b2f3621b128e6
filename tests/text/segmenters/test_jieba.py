import logging
import multiprocessing
import os
import pickle
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import jieba
import pytest
from jieba import finalseg

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import JiebaSegmenter

ENGINES = pytest.mark.parametrize("engine", ["rust", "python"])


@pytest.fixture
def user_dict(tmp_path: Path) -> Path:
    path = tmp_path / "词典.txt"
    path.write_text("云原生底座 5 n\nC-反应蛋白\n太省 0\n型号A/B 3\n", encoding="utf-8")
    return path


class TestCases:
    """What users of jieba run into."""

    @ENGINES
    def test_a_user_word_may_hold_any_characters(self, engine: str) -> None:
        segmenter = JiebaSegmenter(engine=engine, user_words=["型号A/B"])
        assert segmenter.segment("型号A/B已到货") == ["型号A/B", "已", "到货"]

    @ENGINES
    def test_a_latin_user_word_is_no_part_of_another_word(self, engine: str) -> None:
        segmenter = JiebaSegmenter(engine=engine, user_words=["New York", "AI"])
        assert segmenter.segment("我在New York的MAIN街用AI") == [
            "我", "在", "New York", "的", "MAIN", "街用", "AI",
        ]  # fmt: skip

    @ENGINES
    def test_a_dictionary_entry_that_cannot_match_is_named(
        self, engine: str, user_dict: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        segmenter = JiebaSegmenter(engine=engine, user_dict=user_dict)
        with caplog.at_level(logging.WARNING):
            assert segmenter.segment("型号A/B已到货") == ["型号", "A", "/", "B", "已", "到货"]
        assert segmenter.unmatchable_entries == ["型号A/B"]
        (message,) = [record.getMessage() for record in caplog.records]
        assert "词典.txt: 1 of 4 entries can never match" in message
        assert "型号A/B. Give them as user words (--user-word) instead." in message

    @ENGINES
    def test_a_hyphen_stays_in_a_dictionary_word(self, engine: str, user_dict: Path) -> None:
        segmenter = JiebaSegmenter(engine=engine, user_dict=user_dict)
        assert segmenter.segment("C-反应蛋白偏高") == ["C-反应蛋白", "偏高"]

    @ENGINES
    def test_folded_full_width_text_is_cut_as_half_width(self, engine: str) -> None:
        (text,) = Normalization().before_cutting(["２０２６年ＧＤＰ增长５％"])
        tokens = JiebaSegmenter(engine=engine).segment(text)
        assert tokens == ["2026", "年", "GDP", "增长", "5", "％"]
        assert JiebaSegmenter(engine=engine).segment("2026年GDP增长5%")[-1] == "5%"

    @ENGINES
    def test_hmm_is_a_setting(self, engine: str) -> None:
        assert JiebaSegmenter(engine=engine).segment("丰田太省了") == ["丰田", "太省", "了"]
        tokens = JiebaSegmenter(engine=engine, hmm=False).segment("丰田太省了")
        assert tokens == ["丰田", "太", "省", "了"]

    @ENGINES
    def test_a_deleted_word_is_not_found_by_the_model(self, engine: str, user_dict: Path) -> None:
        segmenter = JiebaSegmenter(engine=engine, user_dict=user_dict)
        assert segmenter.segment("丰田太省了") == ["丰田", "太", "省", "了"]

    @ENGINES
    def test_blanks_are_no_tokens(self, engine: str) -> None:
        tokens = JiebaSegmenter(engine=engine).segment("苹果 香蕉\r\n　橙子\ufeff\u200b")
        assert tokens == ["苹果", "香蕉", "橙子"]

    @ENGINES
    def test_marks_and_emoji_stay(self, engine: str) -> None:
        segmenter = JiebaSegmenter(engine=engine)
        assert segmenter.segment("VIP穿XL的T恤，涨50%😀") == [
            "VIP", "穿", "XL", "的", "T恤", "，", "涨", "50%", "😀",
        ]  # fmt: skip
        assert segmenter.segment("学C++吧") == ["学", "C++", "吧"]
        assert segmenter.segment("学F#吧") == ["学", "F", "#", "吧"]
        segmenter = JiebaSegmenter(engine=engine, user_words=["F#"])
        assert segmenter.segment("学F#吧") == ["学", "F#", "吧"]

    @pytest.mark.parametrize("value", [None, float("nan"), 3, b"text", ["今天"]])
    def test_what_is_no_text_is_refused(self, value: object) -> None:
        with pytest.raises(InvalidInputError, match="A text must be a string"):
            JiebaSegmenter().segment(value)


class TestPrivacy:
    @ENGINES
    def test_two_segmenters_share_nothing(self, engine: str, user_dict: Path) -> None:
        plain = JiebaSegmenter(engine=engine)
        before = plain.segment("用云原生底座")
        own = JiebaSegmenter(engine=engine, user_dict=user_dict).segment("用云原生底座")
        assert own == ["用", "云原生底座"]
        assert before == plain.segment("用云原生底座") != own
        assert JiebaSegmenter(engine=engine).segment("用云原生底座") == before

    @ENGINES
    def test_the_tokenizer_of_the_module_is_untouched(self, engine: str, user_dict: Path) -> None:
        forced = set(finalseg.Force_Split_Words)
        frequencies, total = dict(jieba.dt.FREQ), jieba.dt.total
        tags, initialized = dict(jieba.dt.user_word_tag_tab), jieba.dt.initialized
        JiebaSegmenter(engine=engine, user_dict=user_dict).segment("太省了，用云原生底座")
        assert finalseg.Force_Split_Words == forced
        assert (dict(jieba.dt.FREQ), jieba.dt.total) == (frequencies, total)
        assert (jieba.dt.user_word_tag_tab, jieba.dt.initialized) == (tags, initialized)

    @ENGINES
    def test_words_deleted_elsewhere_do_not_reach_us(
        self, engine: str, user_dict: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(finalseg, "Force_Split_Words", set())
        segmenter = JiebaSegmenter(engine=engine)
        expected = segmenter.segment("丰田太省了")
        finalseg.add_force_split("太省")
        assert segmenter.segment("丰田太省了") == expected == ["丰田", "太省", "了"]
        assert JiebaSegmenter(engine=engine).segment("丰田太省了") == expected

    def test_a_process_of_its_own(self, user_dict: Path, tmp_path: Path) -> None:
        # No line on stderr, no jieba.cache in the temp folder, no warning, even as an error.
        program = (
            "import sys, nlpfeat\n"
            "for engine in ('rust', 'python'):\n"
            "    cutter = nlpfeat.JiebaSegmenter(engine=engine, user_dict=sys.argv[1])\n"
            "    print(' '.join(cutter.segment('丰田太省了，用云原生底座')))\n"
        )
        temp = tmp_path / "temp"
        temp.mkdir()
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-W", "error", "-c", program, str(user_dict)],
            env={**os.environ, "TMPDIR": str(temp), "TEMP": str(temp), "TMP": str(temp)},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        lines = done.stderr.splitlines()
        warning = [line for line in lines if "can never match" in line]
        assert (done.returncode, lines) == (0, warning)
        assert done.stdout == "丰田 太 省 了 ， 用 云原生底座\n" * 2
        assert list(temp.iterdir()) == []

    def test_the_import_raises_no_warning(self) -> None:
        program = "import nlpfeat; print(nlpfeat.JiebaSegmenter().segment('今天天气'))"
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-W", "error", "-c", program],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "['今天天气']\n", "")

    @ENGINES
    def test_no_cache_is_written(
        self, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        JiebaSegmenter(engine=engine).segment("今天天气")
        assert list(tmp_path.iterdir()) == []

    @ENGINES
    def test_jieba_does_not_speak(
        self, engine: str, user_dict: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        JiebaSegmenter(engine=engine, user_dict=user_dict).segment("丰田太省了")
        assert "jieba" not in capfd.readouterr().err
        assert capfd.readouterr().out == ""


class TestPickling:
    @ENGINES
    @pytest.mark.parametrize("used", [True, False])
    def test_the_dictionary_travels_inside(self, engine: str, used: bool, user_dict: Path) -> None:
        segmenter = JiebaSegmenter(
            engine=engine, hmm=False, user_dict=user_dict, user_words={"型号A/B"}
        )
        text = "型号A/B用云原生底座，丰田太省了"
        expected = ["型号A/B", "用", "云原生底座", "，", "丰田", "太", "省", "了"]
        if used:
            assert segmenter.segment(text) == expected
        data = pickle.dumps(segmenter)
        user_dict.unlink()
        copy = pickle.loads(data)
        assert copy.segment(text) == expected
        assert (copy.engine, copy.hmm, copy.user_dict) == (engine, False, user_dict)
        assert copy.unmatchable_entries == ["型号A/B"]
        assert pickle.loads(pickle.dumps(copy)).segment(text) == expected

    def test_a_pickle_is_small(self) -> None:
        segmenter = JiebaSegmenter(engine="python")
        segmenter.segment("今天天气")
        assert len(pickle.dumps(segmenter)) < 1000

    @pytest.mark.slow
    @pytest.mark.parametrize("method", ["spawn", "fork"])
    @ENGINES
    def test_other_processes(self, engine: str, method: str, user_dict: Path) -> None:
        if method not in multiprocessing.get_all_start_methods():
            pytest.skip(f"this platform cannot {method}")
        segmenter = JiebaSegmenter(engine=engine, user_dict=user_dict, user_words=["C++"])
        texts = ["丰田太省了", "用云原生底座", "学C++", "3-4"]
        expected = list(map(segmenter.segment, texts))
        with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
            assert list(pool.map(segmenter.segment, texts)) == expected

    def test_a_wrong_setting_stays_wrong(self) -> None:
        copy = pickle.loads(pickle.dumps(JiebaSegmenter(user_words="天气")))
        with pytest.raises(InvalidParameterError, match="user_words must be a list, tuple or set"):
            copy.segment("今天天气")


class TestSettings:
    def test_the_constructor_only_stores(self, tmp_path: Path) -> None:
        words = ["天气"]
        segmenter = JiebaSegmenter(
            engine="unknown", hmm=False, user_dict=tmp_path / "none", user_words=words
        )
        assert segmenter.user_words is words
        assert (segmenter.engine, segmenter.user_dict) == ("unknown", tmp_path / "none")

    def test_repr(self) -> None:
        assert repr(JiebaSegmenter()) == "JiebaSegmenter()"
        segmenter = JiebaSegmenter(hmm=False, user_words=["天气"])
        assert repr(segmenter) == "JiebaSegmenter(hmm=False, user_words=['天气'])"

    def test_an_unknown_engine(self) -> None:
        with pytest.raises(
            InvalidParameterError, match=r"engine must be one of 'rust', 'python'.*mean 'rust'"
        ):
            JiebaSegmenter(engine="rst").segment("好")

    @pytest.mark.parametrize("words", ["天气", 5, iter(["天气"]), None])
    def test_user_words_must_be_a_collection(self, words: object) -> None:
        with pytest.raises(InvalidParameterError, match=r"user_words must be a list.*use \[word"):
            JiebaSegmenter(user_words=words).segment("今天天气")

    @pytest.mark.parametrize("word", ["", None, 3])
    def test_each_user_word_must_be_a_string(self, word: object) -> None:
        with pytest.raises(InvalidParameterError, match="must hold non-empty strings"):
            JiebaSegmenter(user_words=[word]).segment("今天天气")

    def test_a_missing_dictionary_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidInputError, match=r"none\.txt"):
            JiebaSegmenter(user_dict=tmp_path / "none.txt").segment("好")

    @ENGINES
    def test_the_dictionary_may_have_any_encoding(self, engine: str, tmp_path: Path) -> None:
        for encoding in ("utf-8-sig", "gb18030", "utf-16"):
            path = tmp_path / f"{encoding}.txt"
            path.write_bytes("云原生底座 5 n\r\n数字孪生体\r\n".encode(encoding))
            segmenter = JiebaSegmenter(engine=engine, user_dict=path)
            tokens = segmenter.segment("云原生底座和数字孪生体")
            assert tokens == ["云原生底座", "和", "数字孪生体"]

    def test_words_are_tokens_in_both_ways_to_cut(self) -> None:
        segmenter = JiebaSegmenter(user_words=["型号A/B"])
        texts = ["型号A/B到货", "", "今天 天气"]
        assert segmenter.cut_batch(texts) == [["型号A/B", "到货"], [], ["今天", " ", "天气"]]
        assert segmenter.cut_joined(texts) == ["型号A/B\uffff到货", "", "今天\uffff \uffff天气"]
