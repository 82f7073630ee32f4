"""The Herald in reports and as a page: no heading without news, and links that say where they lead."""

import re

from gm.game.base.herald import FRONT, Article, Herald, Piece
from gm.game.base.herald_page import herald_page, herald_part

QUIET = Herald(game="g", title="The game", number=3, when="winter")


def article(section: str, anchor: str = "") -> Article:
    return Article(
        "News", section, 1, head=(Piece("Head"),), text=((Piece("Text."),),), clause="", anchor=anchor
    )


def test_a_herald_without_news_is_no_part_of_a_report() -> None:
    """item 39: nothing is there, so that no heading stands above nothing; the page of its own says so."""
    assert herald_part(QUIET, "medieval") == ""
    assert herald_part(QUIET, "medieval", linked=True) == ""
    assert herald_part(QUIET.evolve(articles=(article("weather"),)), "medieval", linked=True) == ""
    assert "<p>No news this turn.</p>" in herald_page(QUIET, "medieval")
    assert "In diesem Zug keine Neuigkeiten." in herald_page(QUIET, "medieval", "de")


def test_whatever_is_told_is_a_part_of_the_report() -> None:
    """item 39: a column that there is room for, an article, the game master's words."""
    for paper in (
        QUIET.evolve(articles=(article("rumours"),)),
        QUIET.evolve(articles=(article(FRONT),)),
        QUIET.evolve(leader="Hear me."),
    ):
        assert "<h3>" in herald_part(paper, "medieval", linked=True)
    alone = herald_part(QUIET.evolve(articles=(article(FRONT),)), "medieval", linked=True)
    assert "<ul" not in alone, "no list without entries"


def test_links_of_the_herald_say_where_they_lead() -> None:
    """item 39: not five times "more"."""
    anchors = ("relations", "proclamations", "race", "battle-kent-1")
    paper = QUIET.evolve(articles=tuple(article(FRONT, anchor) for anchor in anchors))
    words = re.findall(
        r'class="?source"? href="?#([\w-]+)"?>([^<]+)<', herald_part(paper, "medieval", linked=True)
    )
    assert dict(words) == {
        "relations": "all relations",
        "proclamations": "all proclamations",
        "race": "the race",
        "battle-kent-1": "the battle",
    }
