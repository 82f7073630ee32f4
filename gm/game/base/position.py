"""The common part of the states and boards of small games, which derive their own from these classes."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar, Self, TypeVar, cast

from gm.core.values import Value
from gm.core.yaml.pydantic_models import YamlModel
from gm.game.votes import VoteRule

R = TypeVar("R", bound=Value)
PLAYER = "player"
NOBODY = "nobody"
CONTROLLERS = (PLAYER, NOBODY)  # Who gives a party's orders: a person or a program, or nobody

PLAYING = "playing"
ELIMINATED = "eliminated"
COLOURS = {  # Players by code, in seat order, each with a colour that tells on paper and in the dark
    "RED": "#b3261e",
    "BLUE": "#1f5fa8",
    "GREEN": "#2d7a3a",
    "YELLOW": "#b98900",
    "PURPLE": "#7a3b9c",
    "ORANGE": "#c25a10",
    "TEAL": "#0f7b7b",
    "BROWN": "#7a5230",
}


class Party(Value):
    """A party. ``colour``: ``#rrggbb``; ``out``: of the game; ``missed``: turns in a row without orders."""

    code: str
    name: str
    colour: str
    controller: str = PLAYER
    status: str = PLAYING
    out: bool = False
    missed: int = 0


class Position(Value):
    """The state of a game.

    ``parties``: in seat order; ``winners``: empty for a draw, None while the game goes on.
    """

    turn: int = 0
    parties: Mapping[str, Any]
    winners: tuple[str, ...] | None = None

    def with_party(self, code: str, **changes: Any) -> Self:
        """Return the position with one party changed."""
        return self.evolve(parties={**self.parties, code: self.parties[code].evolve(**changes)})

    def with_parties(self, changes: Mapping[str, Mapping[str, Any]]) -> Self:
        """Return the position with several parties changed, by code."""
        changed = {code: party.evolve(**changes.get(code, {})) for code, party in self.parties.items()}
        return self.evolve(parties=changed)

    def with_holding(self, holding: Mapping[str, bool]) -> Self:
        """Return the position in which parties that hold nothing are out, and all others are in."""
        standing = {True: {"out": False, "status": PLAYING}, False: {"out": True, "status": ELIMINATED}}
        return self.with_parties({code: standing[holds] for code, holds in holding.items()})

    def eliminated(self, code: str, status: str = ELIMINATED) -> Self:
        """Return the position with a party out of the game."""
        return self.with_party(code, status=status, out=True)

    @property
    def quoted(self) -> int:
        """The number that order files quote: that of the turn to be played."""
        return self.turn + 1

    def broken(self, board: Any, rules: Any) -> Sequence[str]:
        """Return the violated invariants between turns, a sentence each."""
        return ()

    @property
    def living(self) -> tuple[str, ...]:
        """The parties that are still in the game, in seat order."""
        return tuple(code for code, party in self.parties.items() if not party.out)


class GameRules(Value):
    """rules.yaml. ``votes``: who must agree to end a game before its time (:mod:`gm.game.votes`)."""

    votes: VoteRule = "all"


class GameSettings(Value):
    """The settings of a game, chosen when it begins.

    ``in_rules``: the entries of the rules that hold for settings nobody chose.
    """

    in_rules: ClassVar[Mapping[str, str]] = {}
    votes: VoteRule | None = None

    @classmethod
    def by_rules(cls, rules: Any) -> dict[str, Any]:
        """Return the default settings of the rules."""
        return {name: attrgetter(path)(rules) for name, path in {**cls.in_rules, "votes": "votes"}.items()}

    def filled(self, rules: Any) -> Self:
        """Return the settings with the rules' defaults for those that nobody chose."""
        missing = {
            name: default for name, default in self.by_rules(rules).items() if getattr(self, name) is None
        }
        return self.evolve(**missing)

    def applied(self, rules: R) -> R:
        """Return the rules with the chosen settings in them; the last result is cached."""
        of, applied = self.__dict__.get("_applied", (None, None))
        if of is not rules:
            applied = self._applied_to(rules)
            self.__dict__["_applied"] = rules, applied
        return cast("R", applied)

    def _applied_to(self, rules: R) -> R:
        """Return the rules with each chosen setting in the entry that ``in_rules`` names."""
        changed: dict[str, Any] = {}
        for name, default in self.by_rules(rules).items():
            chosen = getattr(self, name)
            if chosen not in (None, default):
                part, _, figure = self.in_rules.get(name, name).partition(".")
                changed[part] = (
                    changed.get(part, getattr(rules, part)).evolve(**{figure: chosen}) if figure else chosen
                )
        return rules.evolve(**changed) if changed else rules


class BaseBoard(YamlModel):
    """The map of a game. ``name``: that of its folder; ``title``: the one for people."""

    name: str
    title: str
