"""A hint's figures, what is taken over with it, and why not the order that a player drew, without a
browser (39.4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from gm.cli.play import table_of
from gm.game.answers import Advice, TriedOrder, times_in_ten
from gm.games.medieval.analysis.odds.attacks import MOST, Scenes
from gm.games.medieval.bots import strategist
from gm.games.medieval.bots.strategist import figures
from gm.games.medieval.spec import SPEC
from gm.play.advice import advice_of, weightiest, why_not
from gm.play.programs import adviser_of
from tests.examples import sweep
from tests.play.asking import Window, window
from tests.play.test_play import OTHERS, begun, sheet, table  # noqa: F401 - fixtures

MINSK = ("--map", "minsk", "--play", "TEU", "--bots")
PATIENT = 150  # so many turns for trial are less than a second's work on the largest map


def asked(page: Window, text: str, place: str) -> str:
    """The answer to "why not", of an order at a place of a file."""
    line, column = map(int, place.split(":"))
    answer = page.ask("why", json.dumps({"text": text, "line": line, "column": column}))
    assert answer.status == 200, answer.text
    return str(answer.data["why"])


def places(page: Window, text: str) -> dict[str, str]:
    """The place of each order of a file that can be asked about, by its words."""
    html = page.ask("check", text).data["html"]
    pairs = re.findall(r"<strong>(.*?)</strong>.*?data-why=\"([0-9:]+)\"", html, re.DOTALL)
    return dict(pairs)


@pytest.fixture
def minsk(begun: Callable[..., Path]) -> Window:  # noqa: F811
    return window(begun(*MINSK), "TEU")


@pytest.mark.slow
def test_a_hint_tells_the_garrison_the_odds_and_the_income(minsk: Window) -> None:
    foremost = minsk.ask("hint").data["html"].partition("All orders")[0]
    hints = re.findall(r"<li><strong>.*?</strong> (.*?)\n?<button", foremost)
    assert len(hints) == 3
    for why in hints:
        assert re.fullmatch(
            r"\d+ m[ae]n holds? .*, yours win .* \d times in 10, and it pays \d+ gold a turn\.", why
        ), why


@pytest.mark.slow
def test_what_is_taken_over_with_a_hint_is_all_that_it_needs_and_no_more(minsk: Window) -> None:
    """The army that is formed for it, what is handed over to it, and who fights beside it."""
    hint = minsk.ask("hint").data
    foremost = hint["html"].partition("All orders")[0]
    places_of = dict(
        re.findall(r"<li><strong>(.*?)</strong>.*?data-taken=\"([0-9:]+)\"", foremost, re.DOTALL)
    )
    (place,) = (at for words, at in places_of.items() if words.endswith("march to Polotsk."))
    rows = hint["taken"][place]
    words = [(section, unit, word) for section, unit, word, _ in rows]
    army = next(unit for _, unit, word in words if word == "march")
    assert {unit for _, unit, _ in words} == {army, next(unit for _, unit, word in words if word == "form")}
    assert [value["id"] for _, _, word, value in rows if word == "form"] == [army]
    assert {value["to"] for _, _, word, value in rows if word == "transfer"} == {army}


@pytest.mark.slow
def test_a_hint_about_a_landing_brings_the_fleet_and_all_it_carries(minsk: Window) -> None:
    hint = minsk.ask("hint").data
    rows = next(rows for rows in hint["taken"].values() if rows[-1][2] == "unload")
    landings = [value for _, _, word, value in rows if word == "unload"]
    formed = {value["id"] for _, _, word, value in rows if word == "form"}
    assert set(chain.from_iterable(landings)) <= formed
    assert len(set(chain.from_iterable(landed.values() for landed in landings))) == 1, "they fight one battle"


@pytest.mark.slow
def test_a_hint_takes_no_more_work_than_a_second_has(
    table: Callable[..., Path],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The strongest of those that think so little gives it, it fights few battles, and it is thought of
    once.
    """
    levels = figures().levels
    assert levels[adviser_of(SPEC)].budget == max(
        level.budget for level in levels.values() if level.budget <= PATIENT
    )
    battles = list[tuple[str, int]]()
    thoughts = list[str]()
    reckons = Scenes.chances
    thinks = strategist.Strategist.orders
    page = window(table(*MINSK), "TEU")
    monkeypatch.setattr(
        strategist.Strategist, "orders", lambda bot, view: thoughts.append(bot.name) or thinks(bot, view)
    )
    page.ask("hint")
    monkeypatch.setattr(
        Scenes,
        "chances",
        lambda scenes, scene: battles.append((scene.place, scenes._fights)) or reckons(scenes, scene),
    )
    page.ask("hint")
    assert thoughts == [adviser_of(SPEC)]
    assert battles
    assert len(battles) == len(set(battles)), "each battle is fought once"
    assert max(fights for _, fights in battles) <= MOST


@pytest.mark.slow
def test_why_not_compares_the_figures_of_both(minsk: Window) -> None:
    """One knight goes to Samogitia, against four."""
    text = sheet(minsk.folder, "TEU")
    head = text.partition("headquarters:")[0]
    plan = (
        "units:\n  Riga:\n    form: {A7: Few}\n    plan:\n      - transfer: {to: A7, troops: {Light "
        "Spearmen: 1}}\n"
    )
    text = f"{head}{plan}  A7:\n    plan:\n      - march: Samogitia\n"
    places_of = places(minsk, text)
    why = asked(minsk, text, places_of["A7: march to Samogitia."])
    own, _, better = why.partition("; the bot strategist prefers ")
    assert re.fullmatch(
        r"4 men hold it, yours win (less than|at most) once in 10, and it pays \d+ gold a turn", own
    ), own
    better_figures = r"“[^”]+”: \d+ men hold .*, yours win .* \d times in 10, and it pays \d+ gold a turn\."
    assert re.fullmatch(better_figures, better), better


@pytest.mark.slow
def test_why_not_says_what_the_rules_forbid_and_what_the_bot_would_order_too(minsk: Window) -> None:
    text = sheet(minsk.folder, "TEU")
    head = text.partition("headquarters:")[0]
    transfer = "      - transfer: {to: A7, troops: {Light Spearmen: 1}}\n"
    plan = f"units:\n  Riga:\n    form: {{A7: Few}}\n    plan:\n{transfer}  A7:\n    plan:\n"
    text = f"{head}{plan}      - march: Pskov\n"
    why = asked(minsk, text, places(minsk, text)["A7: march to Pskov."])
    assert re.fullmatch(r"It would fail: .*Pskov.* \([A-Z]\d+.*\)\.", why), why
    hint = minsk.ask("hint").data["text"]
    advised = places(minsk, hint)
    why = asked(minsk, hint, next(place for words, place in advised.items() if "march to" in words))
    assert why.startswith("The bot strategist would order it, too: ")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        '{"text": 3}',
        '{"text": "", "line": 9, "column": 1}',
        '{"text":"<b>","line":true,"column":-1}',
    ],
)
def test_an_order_that_is_not_there_is_refused(minsk: Window, body: str) -> None:
    answer = minsk.ask("why", body)
    assert (answer.status, answer.data["says"]) == (409, "That order is not there.")


@pytest.mark.slow
def test_hints_are_asked_for_again_when_the_game_has_moved_on(table: Callable[..., Path]) -> None:  # noqa: F811
    folder = table(*MINSK)
    here = table_of(folder)
    before = here.hint("TEU", 1)
    assert here.hint("TEU", 1) is before
    here.play("TEU", 1, sheet(folder, "TEU").encode())
    assert here.hint("TEU", 2)[2] != before[2]


def tried(fate: str = "done", **more: Any) -> TriedOrder:
    return TriedOrder(line=1, column=1, order="", fate=fate, **more)


def advice(words: str, why: str = "", weight: float = 0, about: str = "") -> Advice:
    return Advice(1, 1, words, why, weight, about)


def test_of_two_hints_about_one_thing_the_better_is_enough() -> None:
    hints = [
        advice("a", weight=3.2, about="Minsk"),
        advice("b", weight=3.9, about="Minsk"),
        advice("c", weight=1),
    ]
    assert [hint.words for hint in weightiest(hints)] == ["b", "c"]


@pytest.mark.parametrize(
    ("drawn", "order", "sentence"),
    [
        (advice("x.", "9 men.", 3.1), tried(), "9 men; the bot fox prefers “go”: 2 men."),
        (advice("x.", "9 gold.", 1), tried(), "9 gold; the bot fox prefers “dig”: 5 gold."),
        (advice("go.", "2 men.", 3.9), tried(), "The bot fox would order it, too: 2 men."),
        (None, tried(), "The bot fox prefers “go”: 2 men."),
        (None, tried("failed", says="No.", clause="M9"), "It would fail: No (M9)."),
        (None, tried("failed", says="No."), "It would fail: No."),
        (None, tried("failed", hangs_on="dice"), "The bot fox prefers “go”: 2 men."),
    ],
)
def test_an_order_is_compared_with_the_weightiest_of_its_kind(
    drawn: Advice | None, order: TriedOrder, sentence: str
) -> None:
    hints = [advice("dig.", "5 gold.", 1), advice("go.", "2 men.", 3.9)]
    assert why_not(drawn, order, hints, "fox", str) == sentence
    assert why_not(drawn, tried(), [], "fox", str) == "The bot fox would order nothing instead of it."


BOARDS = {
    "conquest-structures": (
        "RED",
        r"Its defence has strength \d+, you come with \d+, and it gives \d PopCap and \d supply\.",
    ),
    "conquestination": (
        "RED",
        r"\d+ units? holds? it, (and )?your \d+ win .*(once|times) in 10(, and it (completes|pays) .*)?\.",
    ),
    "conqueror": (
        "WESS",
        r"(Nobody defends it|\d+ arm.* holds? it, yours win .* in 10), and its labour is \d+ a turn\.",
    ),
}


@pytest.mark.parametrize("game", sweep(BOARDS, "conqueror"))
def test_on_a_board_a_hint_of_an_attack_compares_figures_and_can_be_drawn(
    game: str,
    table: Callable[..., Path],  # noqa: F811
) -> None:
    """Turns are played as advised until something is attacked.

    What is taken over is an order of the page's writer.
    """
    seat, reason = BOARDS[game]
    _, options = OTHERS[game]
    page = window(table("--game", game, *options, "--play", seat, "--bots"), seat)
    for _ in range(6):
        advised = advice_at(page)
        attacks = [advice for advice in advised if advice.weight >= 2]
        if attacks:
            break
        page = page.done("play", page.ask("hint").data["text"])
    assert attacks
    verbs = {verb["name"]: verb for verb in writer_of(page)["verbs"]}
    for attack in attacks:
        assert re.fullmatch(reason, attack.why) or "follows from what is taken" in attack.why, attack.why
    for drawn in chain.from_iterable(advice.taken for advice in advised):
        names = {field["name"] for field in verbs[drawn["verb"]].get("fields", ())}
        assert drawn["values"].keys() <= names
        assert drawn["start"]
    hint = page.ask("hint").data["text"]
    place = f"{attacks[0].line}:{attacks[0].column}"
    assert asked(page, hint, place).startswith("The bot ")


def advice_at(page: Window) -> list[Advice]:
    """What the bot advises in the seat."""
    here = table_of(page.folder)
    _, checked, _ = here.hint(page.seat, page.turn)
    return list(advice_of(here.campaign, page.seat, checked, str).values())


def writer_of(page: Window) -> Any:
    """The tables of the page's order writer."""
    text = page.page().text.partition('id="writer-data"')[2].partition(">")[2].partition("</script>")[0]
    return json.loads(text)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.04, "less than once in 10"),
        (0.1, "about once in 10"),
        (0.86, "about 9 times in 10"),
        (0.96, "more than 9 times in 10"),
    ],
)
def test_a_chance_is_told_as_times_in_ten(share: float, words: str) -> None:
    assert times_in_ten(share, str) == words
