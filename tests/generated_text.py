"""Chinese text of any length, the same in every run."""

import random

WORDS = [
    "今天",
    "天气",
    "我们",
    "公园",
    "喝茶",
    "看书",
    "学习",
    "语言",
    "经济",
    "发展",
    "社会",
    "研究",
    "问题",
    "中国",
    "北京",
    "上海",
    "学生",
    "老师",
    "工作",
    "时间",
    "孩子",
    "妈妈",
    "朋友",
    "电影",
    "音乐",
    "高兴",
    "美丽",
    "快乐",
    "的",
    "了",
    "在",
    "是",
    "和",
    "也",
    "都",
    "不",
    "很",
    "好",
    "去",
    "吃饭",
]


def sentences(n_characters: int, seed: int = 7) -> str:
    """Return so much text of frequent words, with punctuation and without line ends."""
    draw = random.Random(seed)
    parts: list[str] = []
    length = 0
    while length < n_characters:
        part = "".join(draw.choices(WORDS, k=draw.randint(4, 14))) + draw.choice("，。！？；")
        parts.append(part)
        length += len(part)
    return "".join(parts)[:n_characters]


def lines(n_bytes: int, seed: int = 7) -> str:
    """Return lines of 24 to 36 characters, about so many bytes together."""
    block = [sentences(24 + number % 13, seed + number) for number in range(2_000)]
    draw = random.Random(seed)
    size = sum(len(line.encode()) + 1 for line in block)
    chosen = (line for _ in range(1 + n_bytes // size) for line in draw.sample(block, len(block)))
    return "".join(f"{line}\n" for line in chosen)
