"""Japanese and Chinese words of time, and the forms in which they stand together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

NUMBER = r"(?:\d{1,4}|[一二三四五六七八九十〇零两兩]{1,4})"
_Value = TypeVar("_Value")


def _table(groups: Mapping[_Value, str]) -> dict[str, _Value]:
    return {word: content for content, words in groups.items() for word in words.split()}


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


YEAR_REL = _table(
    {
        0: "今年 本年",
        -1: "去年 昨年",
        -2: "前年 一昨年",
        1: "来年 明年",
        2: "後年 后年 再来年",
    }
)
MONTH_REL = _table(
    {
        0: "今月 本月 这个月 這個月",
        -1: "先月 上个月 上個月 上月",
        -2: "先々月 上上个月",
        1: "来月 下个月 下個月 下月",
        2: "再来月 下下个月",
    }
)
WEEK_REL = _table(
    {
        0: "今週 本周 这周 這週 本週 这个星期 这星期",
        -1: "先週 上周 上週 上个星期 上星期 上个礼拜",
        -2: "先々週 上上周",
        1: "来週 下周 下週 下个星期 下星期",
        2: "再来週 下下周",
    }
)
DAY_REL = _table(
    {
        0: "今日 本日 今天 きょう",
        -1: "昨日 昨天 きのう",
        -2: "一昨日 おととい 前天",
        -3: "大前天",
        1: "明日 明天 あした",
        2: "明後日 あさって 后天 後天",
        3: "大后天",
    }
)
NIGHT_REL = _table(
    {
        0: "今晩 今夜 今晚 今朝 今早",
        -1: "昨晩 昨夜 昨晚",
        1: "明晚 明晩 明早",
    }
)
WEEKDAYS = _table(
    {
        0: "月 一",
        1: "火 二",
        2: "水 三",
        3: "木 四",
        4: "金 五",
        5: "土 六",
        6: "日 天",
    }
)
PARTS = _table(
    {
        (5, 12): "早上 上午 朝",
        (0, 12): "午前",
        (11, 14): "中午 昼",
        (12, 13): "正午",
        (12, 18): "下午",
        (12, 24): "午後",
        (16, 19): "夕方 傍晚",
        (18, 24): "晚上 夜",
        (0, 6): "凌晨",
    }
)
THIRDS = _table(
    {
        0: "上旬 初旬 初 月初",
        1: "中旬 半ば",
        2: "下旬 末 底 末日",
    }
)
UNITS = _table(
    {
        "second": "秒",
        "minute": "分钟 分",
        "hour": "小时 小時 时间 時間",
        "day": "日間 日 天",
        "week": "週間 周 週 星期 个星期 個星期",
        "month": "か月 ヶ月 カ月 ヵ月 个月 個月",
        "year": "年間 年",
    }
)
ERA = (
    rf"(?:(?P<era>令和|平成)(?P<eray>{NUMBER}|元)年|(?P<year>\d{{4}}|[〇零一二三四五六七八九]{{4}})\s?年(?!間)"
    rf"|(?P<relyear>{_any(YEAR_REL)})(?:の)?)"
)
CLOCK = (
    rf"(?:(?P<part>{_any(PARTS)})\s?)?"
    rf"(?:(?P<hour>{NUMBER})\s?[時时点點](?:\s?(?P<half>半)|\s?(?P<minute>{NUMBER})\s?分)?"
    r"|(?P<h2>\d{1,2})[:：](?P<m2>\d\d))"
)
EDGE = r"(?P<third>上旬|初旬|中旬|下旬|末日|初|末|底|半ば)"
DATE = re.compile(
    rf"(?:{ERA})?\s?(?:(?P<month>{NUMBER})\s?月|(?P<relmonth>{_any(MONTH_REL)})(?:の)?)\s?"
    rf"(?:(?P<day>{NUMBER})\s?[日号號](?:\s?[（(](?P<wd>[月火水木金土日一二三四五六])[）)])?|{EDGE})?"
)
YEAR = re.compile(
    rf"{ERA}(?:の)?\s?(?:第?(?P<quarter>[1-4一二三四])\s?(?:四半期|季度)|(?P<halfyear>[上下](?:半期|半年))"
    r"|(?P<season>[春夏秋冬])(?:天|季)?|(?P<third>初|末|底|半ば))?"
)
QUARTER = re.compile(r"第(?P<quarter>[1-4一二三四])\s?(?:四半期|季度)")
WEEK = re.compile(
    rf"(?P<rel>{_any(WEEK_REL)})(?:の)?(?:(?P<wd>[月火水木金土日])(?:曜日?)"
    r"|(?P<wd2>[一二三四五六日天])(?![\u3400-\u9fff]?月)|(?P<end>末))?"
)
WEEKDAY = re.compile(
    r"(?P<every>毎週|每周|每週|每个?星期|毎|每逢?)?(?:の)?"
    r"(?:(?P<wd>[月火水木金土日])曜日?|(?:星期|周|週|礼拜)(?P<wd2>[一二三四五六日天]))"
)
DAY = re.compile(rf"(?P<rel>{_any(DAY_REL)})(?:の)?")
NIGHT = re.compile(rf"(?P<rel>{_any(NIGHT_REL)})")
OFFSET = re.compile(
    rf"(?P<few>数|几|幾|好几)?(?P<n>{NUMBER})?(?P<half>半)?(?P<unit>{_any(UNITS)})(?P<h2>半)?"
    r"(?P<dir>之?前|以前|之?后|之?後|以内|以後|以后)"
)
SPAN = re.compile(rf"(?P<dir>過去|过去|最近|この|未来|今後|接下来|直近)(?:の)?(?P<n>{NUMBER})(?P<unit>{_any(UNITS)})")
TIME = re.compile(CLOCK)
RANGE = re.compile(r"\s?(?:から|至|到|～|〜|~|-|–|—)\s?")
OPEN = re.compile(r"\s?(?:(?P<since>以降|以来|から|起|以后|以後|开始)|(?P<until>まで|为止|前に|之前|以前|前))")
START = re.compile(
    r"[\d〇中零零一二三四五六七八九十两兩今本去昨前来明後后再先上下这這第毎每星周週礼月火水木金土日大あきお数几幾好過过最こ未接直令平半午早"
    r"朝正昼夕傍晚夜凌]"
)
