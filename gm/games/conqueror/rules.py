"""The figures of the game as typed values; they are read from ``rules/conqueror/rules.yaml``."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, ClassVar

from msgspec import Meta

from gm.core.diagnostics import invisible
from gm.core.values import Percent, Positive, Value, check_fields, check_whole
from gm.game.base.position import GameRules, GameSettings

TAXES = "taxes"
RECRUIT = "recruit"
DIPLOMAT = "diplomat"
FARMS = "farms"
"""The items that the rules single out; the others are told apart by what they bring."""


class Limits(Value):
    """CQ-1.4, CQ-2.5, CQ-2.7, CQ-20.1: moves of a turn, days of a turn, turns of a game, missed turns."""

    moves: Positive
    turn_days: Positive
    turns: Positive
    absent_after: Positive


class Start(Value):
    """CQ-4.3 to CQ-4.5: a home province as play begins, and the influence in the provinces around it."""

    population: int
    resources: int
    culture: Annotated[int, Meta(ge=1, le=3)]
    armies: int
    fort: Annotated[int, Meta(ge=0, le=3)]
    gold: int
    neighbour_influence: Percent


class Duel(Value):
    """CQ-7.4: the defender's number to roll by the works around them, from none to a castle."""

    attacker: Positive
    defender: tuple[int, int, int, int]


class FromWord(Value):
    """A word for numbers of at least this size."""

    least: int
    word: str


class ControlWord(Value):
    """CQ-13: the word for control, and for the influence of a player who does not own the province."""

    least: int
    own: str
    foreign: str


class Productivity(Value):
    """CQ-8.4 to CQ-8.9: the figures of a province's labour."""

    bonus_from_control: int
    conquest_halving_turns: int
    minimum: int
    words: tuple[FromWord, ...]


class Item(Value):
    """Something that a province can work on (CQ-9).

    ``cost`` None: the square of the population that it leads to.
    """

    cost: int | None
    culture: Annotated[int, Meta(ge=1, le=3)]
    works: Annotated[int, Meta(ge=0, le=3)] = 0  # The works that it builds; the next lower ones must stand
    gives_culture: Annotated[int, Meta(ge=0, le=3)] = 0
    control: int = 0
    worked: int = 0  # What it does to control to work on it for a turn
    repeats: bool = False

    def price(self, population: int) -> int:
        """Return the labour for one item in a province of this population (CQ-9.5)."""
        return self.cost if self.cost is not None else (population + 1) ** 2


class Control(Value):
    """CQ-14.1: the influence gained by conquest and lost by desertion."""

    conquest: int
    desertion: int


class Rebellion(Value):
    """CQ-15.2: by the word for control."""

    base_percent: Mapping[str, int]
    cap_percent: int


class Types(Value):
    """CQ-16.3: the weight of each type of province when cultures meet."""

    empire: int
    vassal: int
    neutral: int


class CulturePower(Value):
    """CQ-16: the figures of cultures that meet."""

    threshold: int
    per_step: int
    floor: int
    type: Types


class Rank(Value):
    """CQ-17.1, CQ-17.2: the provinces that a rank needs, and its titles."""

    provinces: int
    he: str
    she: str


class Score(Value):
    """CQ-17.3: the points of each part of a score."""

    army: int
    population: int
    culture: int
    resource: int
    fort: int
    capital: int
    gold_per_point: Positive


class Knobs(Value):
    """The options that a GM may set for a game."""

    neutrals_build: bool
    influence_cap: Percent
    rush_armies_can_move: bool
    diplomat_range: Annotated[int, Meta(ge=0, le=1)]


NAME_LENGTH = 40


class Leader(Value):
    """CQ-2.10: changes nothing in play; ``sex``, he or she, selects the form of the title."""

    name: str = ""
    sex: str = "he"
    flag: str = ""

    @check_fields("sex")
    @staticmethod
    def _he_or_she(sex: str) -> str:
        if sex not in ("he", "she"):
            raise ValueError(f"sex is he or she, not {sex!r}")
        return sex

    @check_fields("name", "flag")
    @staticmethod
    def _readable(text: str) -> str:
        if len(text) > NAME_LENGTH or invisible(text):
            raise ValueError(
                f"a leader's name and flag are at most {NAME_LENGTH} characters that can be seen"
            )
        return text


class Settings(GameSettings):
    """CQ-2: the choices when a game begins. Those left out follow the rules and the map."""

    in_rules: ClassVar[Mapping[str, str]] = {
        "turns": "limits.turns",
        "absent_after": "limits.absent_after",
        **{name: f"knobs.{name}" for name in Knobs.__struct_fields__},
    }

    description: Annotated[str, Meta(max_length=200)] = ""
    max_players: Annotated[int, Meta(ge=2)] | None = None
    homes: tuple[str, ...] = ()
    turns: Annotated[int, Meta(ge=1, le=999)] | None = None
    until: date | None = None
    leaders: Mapping[str, Leader] = {}
    absent_after: Positive | None = None
    neutrals_build: bool | None = None
    influence_cap: Percent | None = None
    rush_armies_can_move: bool | None = None
    diplomat_range: Annotated[int, Meta(ge=0, le=1)] | None = None
    fair_start: bool = True


class Rules(GameRules):
    """The content of ``rules.yaml``: the figures of the rules, each in a section of its own."""

    start_year: int
    seasons: tuple[str, ...]
    limits: Limits
    start: Start
    duel: Duel
    garrison: tuple[int, int, int, int]
    productivity: Productivity
    items: Mapping[str, Item]
    control: Control
    rush_surcharge_percent: Mapping[int, int]
    control_words: tuple[ControlWord, ...]
    rebellion: Rebellion
    culture_power: CulturePower
    prestige: tuple[Rank, ...]
    score: Score
    knobs: Knobs

    @check_whole
    def _complete(self) -> None:
        """Raise ``ValueError`` if an item is missing, or the words for control do not fit the rebellions."""
        missing = [name for name in (TAXES, RECRUIT, DIPLOMAT, FARMS) if name not in self.items]
        if missing:
            raise ValueError(f"'items' lacks {', '.join(missing)}")
        if not self.control_words or self.control_words[0].least != 0:
            raise ValueError("'control_words' must begin at 0")
        unknown = set(self.rebellion.base_percent) - {control_word.own for control_word in self.control_words}
        if unknown:
            raise ValueError(f"'rebellion' names {min(unknown)!r}, which is no word for control")

    @cached_property
    def works(self) -> tuple[str, ...]:
        """The names of the works by level: none, then those of the items."""
        by_level = {item.works: name for name, item in self.items.items() if item.works}
        return ("", *(by_level[level] for level in sorted(by_level)))

    def control_word(self, points: int, *, is_owner: bool = True) -> str:
        """Return the word for influence of ``points``; a limit belongs to the upper word (CQ-13.3)."""
        control = next(
            control_word for control_word in reversed(self.control_words) if points >= control_word.least
        )
        return control.own if is_owner else control.foreign

    def productivity_word(self, labour: int) -> str:
        """Return the word for a province's labour (CQ-8.9)."""
        words = self.productivity.words
        return next((word.word for word in reversed(words) if labour >= word.least), words[0].word)

    def prestige_of(self, provinces: int) -> int:
        """Return the rank, 1 to 6, of a player with ``provinces`` at the end of a turn (CQ-17.2)."""
        return max(1, sum(provinces >= rank.provinces for rank in self.prestige))

    def title_of(self, prestige: int, sex: str) -> str:
        """Return the title of a leader of this rank (CQ-17.1, CQ-2.10)."""
        rank = self.prestige[prestige - 1]
        return rank.she if sex == "she" else rank.he

    def turns_to_winter(self, turn: int) -> int:
        """Return how many turns close until the next winter has closed, counting this turn and that."""
        return len(self.seasons) - (turn - 1) % len(self.seasons)

    def season(self, turn: int) -> str:
        """Return the name of a turn's season (CQ-1.3)."""
        return self.seasons[(turn - 1) % len(self.seasons)]

    def year(self, turn: int) -> int:
        """Return the year of a turn; it rises after its last season (CQ-1.3)."""
        return self.start_year + (turn - 1) // len(self.seasons)
