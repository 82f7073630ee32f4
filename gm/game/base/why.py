"""Answers about a played turn: why something came out as it did, and how another turn differs from it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from gm.core.codec import to_plain
from gm.core.diagnostics import did_you_mean, fold, nearest, said, says, shown
from gm.core.pipeline import Outcome
from gm.core.values import DiceRolled, Event
from gm.game.answers import Explanation, diff_of_fates, fates_of, titled_diff
from gm.game.base.events import LineSettled, happened, lines_in
from gm.game.base.hooks import Hooks, Scene, scene_of
from gm.game.base.report import rounded
from gm.game.values import GameData, TurnResult
from gm.text.languages import ENGLISH
from gm.text.pages import capitalised

QUESTIONS: Mapping[str, str] = {
    "PLAYER": says("a player's orders, line by line, and what happened to them"),
    "PLAYER:12": says("the order in a line of a player's file"),
    "NAME": says("a place, a unit or whatever else the events name: what happened to it"),
    "turn": says("the whole turn, step by step, with its dice"),
}
_LINE = re.compile(r"(?P<code>[A-Za-z0-9]{1,20}):(?P<line>[0-9]{1,6})\Z")


def explain(
    spec: Hooks[Any],
    table: GameData,
    result: TurnResult,
    opened: Any,
    words: Sequence[str],
    language: str = ENGLISH,
) -> tuple[Explanation, ...]:
    """Return the answer to a question about a played turn (``QUESTIONS``), in a language (its code).

    ``opened``: the state in which the turn began; ``words``: those of the question. Raises
    ``ValueError`` for an empty question and, with the nearest name, for an unknown subject.
    """
    scene = scene_of(spec, table, result, language=language)
    question = " ".join(" ".join(words).split())
    if not question:
        raise ValueError(says("there is no question"))
    parties = result.after.parties
    asked_line = _LINE.match(question)  # ``PLAYER:12``
    if asked_line:
        player = asked_line["code"].upper()
        if player not in parties:
            hint = did_you_mean(nearest(asked_line["code"], parties))
            hint = hint or says("there is {0}", ", ".join(parties))
            unknown = says("no player is called {0}", shown(asked_line["code"]))
            raise ValueError(says("{0}: {1}", unknown, hint))
        return tuple(_line(scene, player, int(asked_line["line"])))
    if fold(question) == "turn":
        return tuple(_events(scene, result.events))
    player = question.upper()
    if player in parties:
        events_about = _events(scene, _about(scene, player))
        return (*_orders(scene, player), *events_about, *_books(scene, opened, player))
    code = _named(scene, question)
    about = _about(scene, code)
    if not about:
        name = scene.formatter.called(code)
        return (Explanation(scene.formatter.phrase("Nothing happened to {what} in this turn.", what=name)),)
    return tuple(_events(scene, about))


def _books(scene: Scene, opened: Any, code: str) -> Iterator[Explanation]:
    """Yield a party's accounts of the turn, line by line, in games with money.

    ``opened``: the state in which the turn began.
    """
    result = scene.result
    books = scene.spec.books(scene.table, opened, code, Outcome(result.after, tuple(result.events)))
    if books:
        name = scene.formatter.called(code)
        yield Explanation(scene.formatter.phrase("The treasury of {party}:", party=name))
    for line in books:
        booked = scene.formatter.phrase(
            "{what}: {balance} then." if line.amount is None else "{what}: {change} gold, {balance} then.",
            what=capitalised(said(line.says, scene.translate)),
            change="" if line.amount is None else f"{line.amount:+}",
            balance=line.balance,
        )
        yield Explanation(booked, depth=1)


def _named(scene: Scene, word: str) -> str:
    """Return the code that a word means: of a thing with that name or code, or another text in an event.

    Raises ``ValueError``, with the nearest, if there is none.
    """
    names = {**scene.spec.names(scene.table, scene.before), **scene.spec.names(scene.table, scene.after)}
    # a name may begin with its code, and is known without it, too
    codes = {fold(name.removeprefix(f"{code} ")): code for code, name in names.items()}
    codes |= {fold(code): code for code in names} | {fold(name): code for code, name in names.items()}
    for event in scene.result.events:
        # a longer text is what somebody wrote, and no name
        codes |= {
            fold(text): text for text in _texts(_content(event)) if len(text) < 40 and fold(text) not in codes
        }
    if fold(word) not in codes:
        hint = did_you_mean(nearest(word, codes.values())) or says("see 'pbem why' for what can be asked")
        raise ValueError(says("nothing in this turn is called {0}: {1}", shown(word), hint))
    return codes[fold(word)]


def _content(event: Event, *without: str) -> dict[str, Any]:
    """Return the fields of an event as data, by name, except those ``without``."""
    return {name: value for name, value in to_plain(event).items() if name not in ("event", *without)}


def _texts(value: Any) -> Iterator[str]:
    """Yield all texts in a value, however deep, keys of mappings included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for part in value.items() if isinstance(value, Mapping) else value:
            yield from _texts(part)


def _about(scene: Scene, code: str) -> list[Event]:
    """Return the events with a code in one of their fields, and the dice with it in their label.

    The outcomes of lines of orders are left out.
    """

    def is_about(event: Event) -> bool:
        if isinstance(event, DiceRolled):
            return code in event.label.split(" | ")  # a label is made of parts, such as place and purpose
        return not isinstance(event, LineSettled) and code in _texts(_content(event, "step", "audience"))

    return [event for event in scene.result.events if is_about(event)]


def _events(scene: Scene, events: Iterable[Event]) -> Iterator[Explanation]:
    """Yield the events in words, under the titles of their steps."""
    titles = scene.spec.step_titles()
    step: str | None = None
    for event in events:
        if isinstance(event, DiceRolled):
            dice_words = ", ".join(f"{times} × {what}" for what, times in event.asked)
            text = scene.formatter.phrase(
                "Dice “{label}” ({dice}): {outcomes}.",
                label=event.label,
                dice=dice_words,
                outcomes=", ".join(map(str, event.outcomes)),
            )
        else:
            text = scene.formatter.format_event(event)
        if not text:
            continue
        if event.step != step:
            step = event.step
            title = titles[step] if step in titles else says("Around the turn")
            yield Explanation(f"{scene.translate(title)}:")
        yield Explanation(text, str(getattr(event, "clause", "")), 1)
        weighed = scene.spec.weighed(scene.table, event)
        if weighed:
            yield Explanation(said(weighed, scene.translate), "", 2)


def _orders(scene: Scene, code: str) -> Iterator[Explanation]:
    """Yield the outcome of each order of a party, and the findings about its file."""
    settled = scene.settled(code)
    name = scene.formatter.called(code)
    heading = scene.formatter.phrase(
        "The orders of {party}:" if settled else "{party} gave no orders that came into the turn.",
        party=name,
    )
    yield Explanation(heading)
    yield from (_fate(scene, line) for line in settled)
    yield from _findings(scene, code)


def _findings(scene: Scene, code: str, line: int | None = None) -> list[Explanation]:
    """Return the findings about a party's file in words: those in the line of this number; None: all."""
    findings = (finding for finding in scene.result.findings(code) if line in (None, finding.line))
    explanations = []
    for finding in findings:
        problem = said(finding.message, scene.translate)
        text = scene.formatter.phrase("Line {line}: {problem}.", line=finding.line, problem=problem)
        explanations.append(Explanation(text, finding.clause, 1))
    return explanations


def _fate(scene: Scene, event: LineSettled) -> Explanation:
    """Return the outcome of a line of orders in words."""
    clause, why = scene.reason(event)
    fate = scene.formatter.phrase(
        "Line {line}, “{text}”: {fate}: {why}." if why else "Line {line}, “{text}”: {fate}.",
        line=event.line,
        text=event.text,
        fate=scene.translate(event.fate.value),
        why=why,
    )
    return Explanation(fate, clause, 1)


def _line(scene: Scene, code: str, number: int) -> Iterator[Explanation]:
    """Yield the outcome of the order in a line of a party's file, and the events about what it names.

    Raises ``ValueError`` if there is no order in the line.
    """
    settled = [line for line in scene.settled(code) if line.line == number]
    yield from (_fate(scene, line) for line in settled)
    named_subjects = set(chain.from_iterable(line.figures.get("about", ()) for line in settled))
    rest = happened(scene.result.events)
    yield from _events(
        scene, (event for event in rest if not named_subjects.isdisjoint(_texts(_content(event))))
    )
    findings = _findings(scene, code, number)
    yield from findings
    if not settled and not findings:
        name = scene.formatter.called(code)
        raise ValueError(says("in line {0} of the file of {1} stands no order", number, name))


def diff(
    spec: Hooks[Any], table: GameData, result: TurnResult, other: TurnResult, language: str = ENGLISH
) -> tuple[Explanation, ...]:
    """Return how the result ``other`` of a turn differs: outcomes of lines, events, figures.

    ``language``: that of the sentences, by its code.
    """
    one = scene_of(spec, table, result, language=language)
    two = scene_of(spec, table, other, language=language)
    translate = one.translate
    was = fates_of(lines_in(one.result.events), one.formatter.reason, translate)
    now = fates_of(lines_in(two.result.events), two.formatter.reason, translate)
    parts = (
        (translate("Orders:"), diff_of_fates(was, now, one.formatter.called, translate)),
        (translate("Happened, and does not now:"), _lacking(one, two)),
        (translate("Happens now, and did not:"), _lacking(two, one)),
        (translate("Figures:"), _figures(one, two)),
    )
    return titled_diff(parts, translate)


def _lacking(one: Scene, two: Scene) -> list[str]:
    """Return the sentences about events of the scene ``one`` that ``two`` lacks."""
    other_texts = list(map(two.formatter.format_event, happened(two.result.events)))
    texts = []
    for text in map(one.formatter.format_event, happened(one.result.events)):
        if text in other_texts:
            other_texts.remove(text)
        elif text:
            texts.append(text)
    return texts


def _figures(one: Scene, two: Scene) -> Iterator[str]:
    """Yield each figure of any party that differs between two outcomes of a turn, in words."""
    was = one.spec.figures(one.table, one.result.after)
    now = two.spec.figures(two.table, two.result.after)
    for code, row in was.items():
        for name, value in row.items():
            value_now = now.get(code, {}).get(name, 0)
            if value_now != value:
                yield one.formatter.phrase(
                    "{party}, {figure}: was {before}, now {after}",
                    party=one.formatter.called(code),
                    figure=one.translate(name),
                    before=rounded(value),
                    after=rounded(value_now),
                )
