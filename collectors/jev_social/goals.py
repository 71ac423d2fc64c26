"""What a goal asks for: the words to search, pages it names, and whether media is to be saved."""

from __future__ import annotations

import re

PLATFORM = r"(?:instagram|tiktok|linkedin)"
POLITE = r"(?:(?:please|kindly|can you|could you|would you|i want to|i would like to|help me)\s+)*"
FIND = r"(?:find|search(?:\s+for)?|look\s+(?:up|for)|research)"
POLITE_ZH = r"(?:请|帮我|麻烦|帮忙)*"
FIND_ZH = r"(?:搜索|查找|寻找|研究|搜|找)(?:一下)?"
TOPICS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"{POLITE}(?:search|look|research)\s+{PLATFORM}\s+for\s+(?P<topic>.+)",
        rf"{POLITE}(?:on|in|from)\s+{PLATFORM}\s*,?\s+{FIND}\s+(?P<topic>.+)",
        rf"{POLITE}{FIND}\s+(?P<topic>.+?)\s+(?:on|in|from)\s+{PLATFORM}\b.*",
        rf"{POLITE}{PLATFORM}\s+for\s+(?P<topic>.+)",
        rf"{POLITE_ZH}(?:在|从|上|去)?\s*{PLATFORM}\s*(?:上|里|中)?\s*{FIND_ZH}\s*(?P<topic>.+)",
        rf"{POLITE_ZH}{FIND_ZH}\s*{PLATFORM}\s*(?:上|里|中)?(?:的|关于)*\s*(?P<topic>.+)",
    )
)
NEXT = r"(?:open|read|download|save|archive|collect|capture|summari[sz]e|report|compare|list)"
NEXT_ZH = r"(?:打开|阅读|下载|保存|查看|总结|收集|比较)"
# what is to be done with the results, after the topic
AFTERWARDS = re.compile(
    rf"\s*(?:[,;]\s*(?:and\s+|then\s+)*|\s(?:and\s+|then\s+)+){NEXT}\b.*"
    rf"|\s*[,;\uff0c\uff1b\u3002]?\s*(?:并且?|然后|再)?\s*{NEXT_ZH}.*",
    re.IGNORECASE | re.DOTALL,
)
QUOTES = (('"', '"'), ("'", "'"), ("“", "”"), ("\u2018", "\u2019"), ("「", "」"))

SAVE = r"\b(?:download|save|archive|grab)\b"
MEDIA = r"\b(?:videos?|media|clips?|files?)\b"
ARTICLES = r"(?:(?:the|an?|one|this|that|these|those|its|their|your|selected|chosen)\s+)*"
OTHER = re.compile(
    r"\b(?:comment|caption|metadata|note|evidence|report|transcript|thumbnail|detail|result|link"
    r"|url|discussion)s?\b|评论|字幕|元数据|笔记|证据|报告|文字|链接|封面|讨论",
    re.IGNORECASE,
)
SAVE_ZH, MEDIA_ZH = "(?:下载|保存|留存|归档|抓取)", "(?:视频|媒体|文件)"
WISHES = tuple(
    re.compile(f"(?={pattern})", re.IGNORECASE | re.DOTALL)  # so that matches may overlap
    for pattern in (
        rf"{SAVE}(?P<between>.{{0,48}}?){MEDIA}",
        rf"{MEDIA}(?P<between>.{{0,48}}?){SAVE}",
        rf"\b(?:capture|record)\s+(?P<between>{ARTICLES}){MEDIA}",
        rf"\b(?:local|offline)\s+cop(?:y|ies)\s+of\s+(?P<between>{ARTICLES}){MEDIA}",
        rf"{SAVE_ZH}(?P<between>.{{0,16}}?){MEDIA_ZH}",
        rf"{MEDIA_ZH}(?P<between>.{{0,16}}?){SAVE_ZH}",
    )
)


def search_text(goal: str) -> str:
    """Return the topic that a goal names, else the whole goal."""
    matches = (pattern.fullmatch(goal.strip()) for pattern in TOPICS)
    match = next(filter(None, matches), None)
    if match is None:
        return goal.strip()
    topic = _bare(AFTERWARDS.sub("", match["topic"], count=1))
    return topic or goal.strip()


def wants_media(goal: str) -> bool:
    """Return whether a goal asks for a local copy of a video, and not of what is said about it."""
    return any(
        not OTHER.search(match["between"]) for pattern in WISHES for match in pattern.finditer(goal)
    )


def pages_named(goal: str) -> list[str]:
    """Return the https addresses in a goal, as they are written."""
    return [text.rstrip(".,;)") for text in re.findall(r"https://[^\s<>\"']+", goal)]


def _bare(topic: str) -> str:
    """Return a topic without the marks, quotes and politeness around it."""
    topic = topic.strip().rstrip(".!?\u3002\uff01\uff1f").rstrip()
    topic = re.sub(r"[\s,]+please$", "", topic, flags=re.IGNORECASE)
    for opening, closing in QUOTES:
        if len(topic) > 1 and topic.startswith(opening) and topic.endswith(closing):
            return topic[1:-1].strip()
    return topic
