"""Words and neutral clauses that several grammars share.

Each word is one that jieba keeps whole, and the clauses are cut by it where the spaces are. None
of them praises or blames, negates, counts or compares.
"""

from nlpfeat.datasets.phenomena.phenomenon import words
from nlpfeat.datasets.phenomena.sampling import Draw

TIMES = words(
    "昨天 前天 上周 周末 早上 中午 傍晚 清晨 夜里 年初 去年 前年 春天 夏天 秋天 冬天 假期 "
    "国庆 春节 元旦 中秋 端午 星期一 立秋 星期三 星期四 星期五 星期六 星期天 月底"
)

PEOPLE = words(
    "阿姨 叔叔 邻居 同事 表哥 表姐 表弟 表妹 姐姐 舅舅 姑姑 奶奶 爷爷 外婆 姨妈 司机 门卫 "
    "店员 房客 室友 班长 水手 厨师 裁缝 木匠 护士 店主 保安 记者 画家 渔夫 农民 工人 警察"
)

#: Where people work or trade.
HOUSES = words(
    "超市 图书馆 菜市场 博物馆 体育馆 电影院 书店 茶馆 邮局 银行 医院 食堂 商场 饭馆 面馆 "
    "咖啡馆 理发店 药店 车站 机场 公园 游泳池 幼儿园 洗衣店"
)

#: Where people are.
PLACES = words(
    "码头 操场 广场 花园 河边 湖边 村口 路口 桥头 楼下 车库 仓库 工地 果园 菜园 果林 山脚 "
    "海边 阳台 院子 客厅 厨房 走廊 学校"
)

DISHES = words(
    "面条 饺子 包子 馒头 米饭 烧饼 馄饨 豆腐 豆浆 油条 粽子 汤圆 月饼 年糕 米粉 凉皮 火锅 "
    "烤鸭 鱼汤 鸡汤 牛肉面 炸酱面 酸菜鱼 红烧肉 蛋糕 饼干 酸奶"
)

GROCERIES = words(
    "西红柿 土豆 白菜 萝卜 茄子 黄瓜 苹果 香蕉 葡萄 西瓜 桃子 橘子 草莓 牛奶 绿茶 咖啡 蜂蜜 "
    "鸡蛋 花生 核桃 玉米 南瓜 豆角 蘑菇"
)

#: What can break and be mended.
DEVICES = words(
    "台灯 门铃 挂钟 音箱 轮椅 沙发 书桌 椅子 吉他 钢琴 自行车 电脑 键盘 耳机 冰箱 洗衣机 "
    "收音机 空调 电视机 摩托车 书架 抽屉 窗帘"
)

#: What can be carried and forgotten.
BELONGINGS = words(
    "雨伞 书包 钥匙 手机 相机 闹钟 水壶 饭盒 毛巾 镜子 地图 报纸 杂志 字典 日记 围巾 手套 "
    "帽子 皮鞋 球鞋 衬衫 毛衣 外套 裙子 风筝 篮球 足球 口琴 剪刀 明信片"
)

#: Neutral clauses; the spaces are where jieba cuts.
ASIDES = (
    "{person} 在 {house} 买 了 {belonging}",
    "{person} 在 {place} 尝 了 {dish}",
    "{person} {time} 去过 {house}",
    "{house} 门口 摆着 {belonging}",
    "{person} {time} 修理 {device}",
    "{time} {person} 学做 {dish}",
    "{person} 从 {house} 带回 {grocery}",
    "{person} 把 {belonging} 忘 在 {place}",
    "{time} {house} 正在 装修",
    "{house} {time} 照常 开门",
    "{person} 到 {place} 找 {belonging}",
    "{person} 路过 {house}",
    "{time} {person} 一直 待 在 {place}",
    "{person} 和 {another} 聊起 {dish}",
    "{person} 和 {another} 一起 整理 {belonging}",
    "{house} 旁边 有人 卖 {grocery}",
    "{person} 托 {another} 捎来 {grocery}",
    "{person} 替 {another} 保管 {belonging}",
    "{person} 把 {grocery} 放在 {place}",
    "{person} 打算 更换 {device}",
)


def aside(draw: Draw) -> str:
    """Return a neutral clause of words that belong to this part, parted by spaces."""
    person, another = draw.some(draw.own(PEOPLE), 2)
    return draw.one(ASIDES).format(
        person=person,
        another=another,
        time=draw.one(draw.own(TIMES)),
        house=draw.one(draw.own(HOUSES)),
        place=draw.one(draw.own(PLACES)),
        dish=draw.one(draw.own(DISHES)),
        grocery=draw.one(draw.own(GROCERIES)),
        device=draw.one(draw.own(DEVICES)),
        belonging=draw.one(draw.own(BELONGINGS)),
    )


def asides(draw: Draw, n: int) -> list[str]:
    """Return ``n`` different neutral clauses."""
    clauses: dict[str, None] = {}
    while len(clauses) < n:
        clauses[aside(draw)] = None
    return list(clauses)
