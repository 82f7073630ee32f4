"""The practice game of ``pbem play --practice``: a lesson for each turn, and what came of the last one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.play import played_turn
from gm.campaign.stored import results_of, stored_turn
from gm.core.values import Value
from gm.core.yaml.models import load_value
from gm.game.answers import Explanation, Preview
from gm.resources import resource

PRACTICE = "practice"  # the id of such a game


class Task(Value):
    """A task of a lesson."""

    say: str  # the task in words
    words: tuple[str, ...]  # the words of the orders that complete it, as in order files

    def done_by(self, orders: Sequence[str]) -> bool:
        """Return whether each of the task's words is in one of these orders, written as in order files."""
        return all(_is_among(word, orders) for word in self.words)


def _is_among(word: str, orders: Sequence[str]) -> bool:
    """Return whether one of these orders has this word."""
    pattern = re.compile(rf"(?:^| ){word}(?=:|$)")
    return any(pattern.search(order) for order in orders)


class Lesson(Value):
    """A turn of practice."""

    title: str
    goal: str  # what the player is to achieve, in words
    tasks: tuple[Task, ...]
    why: str  # the rules behind the turn's results, told after it
    explain: str  # the unit whose story is shown after the turn
    example: str  # orders that complete all tasks


class Practice(Value):
    """The practice game."""

    map: str
    realm: str  # the player's, a code
    lessons: tuple[Lesson, ...]  # one for each turn


@cache
def practice() -> Practice:
    """Return the practice game that comes with the program."""
    return load_value(resource("templates", "play", "practice.yaml"), Practice)


def is_practice(campaign: Campaign) -> bool:
    """Return whether a game is one of practice."""
    settings = campaign.folder.settings
    return settings.id == PRACTICE and settings.game == "medieval" and settings.map == practice().map


def lesson_values(campaign: Campaign, checked: Preview | None = None) -> dict[str, Any]:
    """Return the guide's values before the next turn: its lesson, and whether each of its tasks is done.

    ``checked``: the player's orders, tried.
    """
    lessons = practice().lessons
    turn = campaign.next_turn
    tried_orders = checked.orders if checked else ()
    # an order that may succeed counts
    working_orders = [order.order for order in tried_orders if order.hangs_on or order.fate != "failed"]
    lesson = lessons[turn - 1] if turn <= len(lessons) else None
    tasks = [(task.say, task.done_by(working_orders)) for task in lesson.tasks] if lesson else []
    return {"number": turn, "count": len(lessons), "lesson": lesson, "tasks": tasks}


def past_values(campaign: Campaign, language: str) -> dict[str, Any]:
    """Return the guide's values about the last lesson, ``past`` (None if there is none), in a language.

    The others are the outcomes of the player's orders, the tasks that were not done, and the story of the
    lesson's unit.
    """
    lessons = practice().lessons
    turn = campaign.newest_turn
    realm = practice().realm
    if not 0 < turn <= len(lessons):
        return {"past": None}
    lesson = lessons[turn - 1]
    fates = dict(results_of(campaign, turn)).get(realm, {}).get("private", {}).get("orders", [])
    orders = [fate["order"] for fate in fates]
    return {
        "past": lesson,
        "fates": fates,
        "missed": [task.say for task in lesson.tasks if not task.done_by(orders)],
        "story": _story(campaign, turn, realm, lesson.explain, language),
    }


def _story(campaign: Campaign, turn: int, realm: str, unit: str, language: str) -> Sequence[Explanation]:
    """Return the story of a realm's unit in a turn, as ``pbem why`` tells it; empty for an unknown unit."""
    try:
        opened = stored_turn(campaign, turn).opened
        played = played_turn(campaign, turn)
        return campaign.spec.explain(campaign.table, played, opened, (realm, unit), language)
    except ValueError:
        return ()
