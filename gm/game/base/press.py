"""The letters between players in a party's report: those that it wrote and got, and public ones, newest first."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from gm.core.diagnostics import printable, said, says
from gm.core.orders.press import ANONYMOUS, PUBLIC
from gm.game.values import TurnResult
from gm.game.votes import VoteRule
from gm.store.press import Press
from gm.text.languages import translator
from gm.text.pages import fragment

_SHOWN = 20_000  # characters of letters of earlier turns that a page holds; the reports before have them all


def press_html(result: TurnResult, code: str, names: Mapping[str, str], language: str) -> str:
    """A party's letters as a table for its page, and how to write one; empty in a game without letters. ``names``: what
    it calls the others."""
    mine = [each for each in reversed(result.press) if each.is_letter and each.seen_by(code)]
    mine = [each for each in mine if each.turn >= result.seated.get(code, 1)]
    if not mine and not result.press_rule.kinds:
        return ""
    anonymous = {each.mark for each in result.press if each.kind == ANONYMOUS}
    left, rows = _SHOWN, list[dict[str, Any]]()
    for each in mine:
        left -= len(each.text) if each.turn < result.turn else 0
        if left < 0:
            break
        rows.append(_row(each, code, names, language, anonymous))
    other = next((each for each in names if each != code), "")
    shown = {"rows": rows, "older": len(mine) - len(rows), "kinds": result.press_rule.kinds, "other": other}
    shown |= {"whole": False, "closed": 0}
    return fragment("game/press.html", shown, language)


def all_press_html(letters: Sequence[Press], closed: int, names: Mapping[str, str], language: str) -> str:
    """The letters of a whole game, oldest first, when all may read them: the anonymous stay so. ``closed``: how many
    are left out."""
    anonymous = {each.mark for each in letters if each.kind == ANONYMOUS}
    rows = [_row(each, "", names, language, anonymous) for each in letters]
    return fragment(
        "game/press.html", {"rows": rows, "closed": closed, "whole": True, "older": 0, "kinds": ()}, language
    )


def talk_html(
    result: TurnResult,
    rule: VoteRule,
    names: Mapping[str, str],
    readers: Collection[str],
    language: str,
    place: str = "",
) -> str:
    """The form of what an order file says besides orders: letters to ``readers``, votes, that it waits. ``names``: the
    others who are left; ``place``: under which name a device keeps it, where no order writer does."""
    press = result.press_rule
    to = {code: name for code, name in names.items() if code in readers}
    shown = {"kinds": press.kinds, "longest": press.longest, "a_day": press.a_day, "readers": to, "winners": names}
    return fragment("game/talk.html", {**shown, "rule": rule, "place": place}, language)


def _row(letter: Press, code: str, names: Mapping[str, str], language: str, anonymous: set[str]) -> dict[str, Any]:
    own, say = letter.author == code, translator("game", language)
    hidden = letter.kind == ANONYMOUS and not own
    # whom an answer goes to is as secret as who wrote what it answers; who is missing among all readers would tell, too
    to = [code] if hidden else [] if letter.kind == PUBLIC else letter.to
    unnamed = (own or not code) and letter.back and letter.answers in anonymous
    return {
        "turn": letter.turn,
        "own": own,
        "author": "" if hidden else names.get(letter.author, letter.author),
        "secret": letter.kind == ANONYMOUS,
        "to": "" if unnamed else ", ".join(names.get(each, each) for each in to),
        "unnamed": unnamed or (hidden and not code),
        "subject": letter.subject,
        "lines": [printable(line.expandtabs(4)) for line in letter.text.split("\n")],
        "why": said(says(*letter.why), say) if letter.why else "",
    }
