"""The base classes of the states, rules, settings and boards of small games."""

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
COLOURS = {  # The colour of each player by code, in seat order; they differ on paper and on a dark screen
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
    """A party."""

    code: str
    name: str
    colour: str  # ``#rrggbb``
    controller: str = PLAYER
    status: str = PLAYING
    out: bool = False  # whether it is out of the game
    missed: int = 0  # turns in a row without orders


class Position(Value):
    """The state of a game."""

    turn: int = 0  # how many turns were played
    parties: Mapping[str, Any]  # by code, in seat order
    winners: tuple[str, ...] | None = None  # their codes; empty for a draw; None while the game goes on

    def with_party(self, code: str, **changes: Any) -> Self:
        """Return the position with one party changed."""
        return self.evolve(parties={**self.parties, code: self.parties[code].evolve(**changes)})

    def with_parties(self, changes: Mapping[str, Mapping[str, Any]]) -> Self:
        """Return the position with several parties changed; ``changes``: fields by code."""
        changed = {code: party.evolve(**changes.get(code, {})) for code, party in self.parties.items()}
        return self.evolve(parties=changed)

    def with_holding(self, holding: Mapping[str, bool]) -> Self:
        """Return the position in which these parties are in the game if they still hold something, else out.

        ``holding``: whether they do, by code.
        """
        standing = {True: {"out": False, "status": PLAYING}, False: {"out": True, "status": ELIMINATED}}
        return self.with_parties({code: standing[holds] for code, holds in holding.items()})

    def eliminated(self, code: str, status: str = ELIMINATED) -> Self:
        """Return the position with a party out of the game, with this status."""
        return self.with_party(code, status=status, out=True)

    @property
    def quoted(self) -> int:
        """The number that order files quote: that of the turn to be played."""
        return self.turn + 1

    def broken(self, board: Any, rules: Any) -> Sequence[str]:
        """Return the invariants that the position violates, a sentence each; empty for a sound one."""
        return ()

    @property
    def living(self) -> tuple[str, ...]:
        """The codes of the parties that are still in the game, in seat order."""
        return tuple(code for code, party in self.parties.items() if not party.out)


class GameRules(Value):
    """The content of rules.yaml. ``votes``: who must agree to end a game early (:mod:`gm.game.votes`)."""

    votes: VoteRule = "all"


class GameSettings(Value):
    """The settings of a game, chosen when it begins; None: the rules decide."""

    # the entry of the rules, ``field`` or ``field.field``, that is the default of a setting, by its name
    in_rules: ClassVar[Mapping[str, str]] = {}
    votes: VoteRule | None = None

    @classmethod
    def by_rules(cls, rules: Any) -> dict[str, Any]:
        """Return the defaults, by name, of the settings that have theirs in the rules."""
        return {name: attrgetter(path)(rules) for name, path in {**cls.in_rules, "votes": "votes"}.items()}

    def filled(self, rules: Any) -> Self:
        """Return the settings with the rules' defaults for those that nobody chose."""
        missing = {
            name: default for name, default in self.by_rules(rules).items() if getattr(self, name) is None
        }
        return self.evolve(**missing)

    def applied(self, rules: R) -> R:
        """Return the rules with the chosen settings in them; the last result is cached."""
        # (rules without the settings, rules with them)
        cached_for, applied = self.__dict__.get("_applied", (None, None))
        if cached_for is not rules:
            applied = self._applied_to(rules)
            self.__dict__["_applied"] = rules, applied
        return cast("R", applied)

    def _applied_to(self, rules: R) -> R:
        """Return the rules with each chosen setting in the entry that ``in_rules`` names, or in ``votes``."""
        changed: dict[str, Any] = {}
        for name, default in self.by_rules(rules).items():
            chosen = getattr(self, name)
            if chosen in (None, default):  # nobody chose it, or what the rules say
                continue
            part, _, inner = self.in_rules.get(name, name).partition(".")
            if inner:
                # perhaps other settings have changed the same part
                changed[part] = changed.get(part, getattr(rules, part)).evolve(**{inner: chosen})
            else:
                changed[part] = chosen
        return rules.evolve(**changed) if changed else rules


class BaseBoard(YamlModel):
    """The map of a game. ``name``: that of its folder; ``title``: the one for people."""

    name: str
    title: str
