"""What the reports of one turn are made from, for one reader: the turn, its words, and what he may see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gm.core.events import GM, PUBLIC, DiceRolled, Event
from gm.game.base import texts
from gm.game.base.events import LineSettled
from gm.game.spec import GameData
from gm.game.turn_result import TurnResult
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.reasons import load_reasons
from gm.text.sentences import EventFormatter

if TYPE_CHECKING:
    from gm.game.base.game import BaseGame


@dataclass(frozen=True)
class Scene:
    """``party``: whose page it is; none: the game master's, who sees all. ``before`` and ``after`` are what the reader
    may know of the positions."""

    spec: BaseGame[Any]
    table: GameData
    played: TurnResult
    party: str | None
    before: Any
    after: Any
    tell: EventFormatter
    language: str
    translate: Translate

    @property
    def turn(self) -> int:
        """The number of the turn that was played; 0: the start."""
        return int(self.after.turn)

    def visible(self, event: Event) -> bool:
        """Whether the reader may know of an event."""
        if isinstance(event, DiceRolled):
            return False
        allowed = event.audience != GM and (event.audience == PUBLIC or event.audience == self.party)
        return allowed and (self.party is None or self.spec.tells(self.after, self.party, event))

    def events(self) -> Iterator[Event]:
        """What the reader may know of what happened, in order, his lines of orders apart."""
        return (each for each in self.played.events if self.visible(each) and not isinstance(each, LineSettled))

    def settled(self) -> list[LineSettled]:
        """What became of the reader's lines, in the order of his file."""
        own = (e for e in self.played.events if isinstance(e, LineSettled) and e.audience == self.party)
        return sorted(own, key=lambda each: (each.line, each.column))

    def says(self, event: Event) -> str:
        """An event as a sentence; empty for one that is told elsewhere."""
        return self.tell.say(event)


def scene_of(spec: BaseGame[Any], table: GameData, played: TurnResult, party: str | None) -> Scene:
    """The scene for one party, or for the game master."""
    language = spec.language_of(played, party) if party else ENGLISH
    translate = translator(spec.key, language)
    before, after = played.before, played.after
    if party is not None:
        before, after = spec.seen(table, before, party), spec.seen(table, after, party)
    return Scene(
        spec=spec,
        table=table,
        played=played,
        party=party,
        before=before,
        after=after,
        tell=teller(spec, table, (played.before, played.after), translate),
        language=language,
        translate=translate,
    )


def teller(
    spec: BaseGame[Any], table: GameData, states: tuple[Any, ...], translate: Translate | None = None
) -> EventFormatter:
    """What says the events of a turn with these states in words."""
    names: dict[str, str] = {}
    for state in states:
        names |= {code: party.name for code, party in state.parties.items()}
        names |= spec.names(table, state)
    if translate is not None:
        names = {code: translate(name) for code, name in names.items()}
    return spec.teller_class(names, texts.sentences(spec.key), lambda: load_reasons(spec.key), translate)
