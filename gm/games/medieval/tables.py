"""The rules, the maps and the start of Medieval Diplomacy, for the campaign and the commands."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gm.core.diagnostics import Diagnostic
from gm.core.values import Record
from gm.game.spec import MAP_FILE, GameSpec
from gm.game.values import Founded, GameData, NewGameRequest, parts, the_one, whole
from gm.game.votes import RULES, SETTING, VoteRule
from gm.games.medieval.data.rules import Rules
from gm.games.medieval.state import Controller, World
from gm.resources import resource

if TYPE_CHECKING:
    from gm.games.medieval.data import edition, map_check, map_file, rules_data, scenario, start_world
else:
    edition, map_check, map_file = parts(f"{__package__}.data", "edition map_check map_file")
    rules_data, scenario, start_world = parts(f"{__package__}.data", "rules_data scenario start_world")

START_FILE = "start.yaml"
SCENARIO_FILE = "scenario.yaml"
RULES_FOLDER = "rules"


LIMITS = {"cities_percent": 100, "last_turn": 1000}  # the highest figure of each option; the lowest is 1


class ChosenOptions(Record):
    """The options that a new game was given.

    ``votes``: None for that of the rules; ``goal``: by name, figures of the game's goal (V1) in place of
    those of the map and the rules.
    """

    votes: VoteRule | None = None
    goal: Mapping[str, int] = {}

    def rules(self, rules: Rules) -> Rules:
        """Return the rules with these options."""
        return rules.evolve(votes=self.votes or rules.votes, victory=rules.victory.evolve(**self.goal))


NO_OPTIONS = ChosenOptions()


def offered(rules: Rules) -> Mapping[str, str]:
    """Return a description of each option of a new game, by its name."""
    percent = rules.victory.cities_percent
    return {
        "votes": f"{SETTING} (default: {rules.votes})",
        "cities_percent": (
            f"V1: percent of the cities that win, alone or allied (default: the map's, else {percent})"
        ),
        "last_turn": (
            "V1: the turn after which most points for cities and provinces win, if nobody has won before "
            "(default: the map's, else none)"
        ),
    }


def chosen_options(options: Mapping[str, str]) -> ChosenOptions:
    """Return the options from their texts, by name. Raises ``ValueError`` for an impossible value."""
    votes = None
    if "votes" in options:
        rule_name = the_one(options["votes"], RULES, "rule of votes")
        votes = next(rule for rule in RULES if rule == rule_name)  # the same, of the rules' own type
    goal = {
        name: whole(options[name], f"figure for {name}", 1, limit)
        for name, limit in LIMITS.items()
        if name in options
    }
    return ChosenOptions(votes, goal)


class Shipped(Record):
    """What a map's folder holds, read by the rules that come with the program: map and start position."""

    rules: Any  # Rules
    atlas: Any  # Atlas
    start: Any  # Scenario


@lru_cache(maxsize=4)  # a new game asks for its map several times
def _read_shipped(folder: Path, contents: tuple[bytes, ...]) -> Shipped:
    """Return the content of a map's folder.

    ``contents``: the bytes of all its files and the rules', so that the cache holds only while no file has
    changed. Raises ``SourceError`` and ``StoreError`` for a file that does not fit.
    """
    rules = rules_data.load_rules()
    atlas = map_file.load_atlas(folder / MAP_FILE, rules)
    return Shipped(rules, atlas, scenario.load_scenario(folder / START_FILE, atlas, rules))


class MedievalTables(GameSpec[World]):
    """The part of the game that reads rules and maps; :class:`gm.game.spec.GameSpec` describes each member.

    Parts are imported when they are needed.
    """

    @property
    def edition(self) -> int:
        return edition.EDITION

    @property
    def options(self) -> Mapping[str, str]:
        return offered(rules_data.load_rules())

    def founded(self, wishes: NewGameRequest) -> Founded:
        wishes.refuse_unknown(self.options)
        options = chosen_options(wishes.options)
        table = self.shipped_table(wishes.map.name, wishes.map)
        return Founded(table.evolve(rules=options.rules(table.rules)), self.map_files(wishes.map, options))

    def map_files(self, chosen: Path, wishes: ChosenOptions = NO_OPTIONS) -> Mapping[str, bytes]:
        """Return the files of a new game, by name: the map, and what the scenario and the options decide.

        ``chosen``: the folder of the map; ``wishes``: the options that were chosen.
        """
        start = self._shipped(map_name="", map_folder=chosen).start
        victory = {**start.victory, **wishes.goal}
        stored_scenario = rules_data.StoredScenario(
            title=start.title, victory=victory, year=start.year, votes=wishes.votes
        )
        return {
            MAP_FILE: (chosen / MAP_FILE).read_bytes(),
            SCENARIO_FILE: rules_data.stored_scenario_text(stored_scenario).encode(),
        }

    def check_map(self, chosen: Path) -> Sequence[Diagnostic]:
        return map_check.check_map(chosen)

    def map_balance(self, chosen: Path) -> Sequence[Mapping[str, Any]]:
        table = self.shipped_table(map_name="", map_folder=chosen)
        return map_check.balance_figures(table.board, self.start(table, chosen, None), table.rules)

    def load_table(self, folder: Path) -> GameData:
        overrides = folder / RULES_FOLDER
        rules = rules_data.load_rules(overrides if overrides.is_dir() else None)
        atlas = map_file.load_atlas(folder / MAP_FILE, rules)
        return GameData(rules_data.rules_of_game(folder / SCENARIO_FILE, rules), atlas)

    def shipped_table(self, map_name: str, map_folder: Path | None = None) -> GameData:
        """Return the rules that come with the program, with a map of the program or of ``map_folder``."""
        shipped = self._shipped(map_name, map_folder)
        return GameData(scenario.scenario_rules(shipped.start, shipped.rules), shipped.atlas)

    def _shipped(self, map_name: str, map_folder: Path | None) -> Shipped:
        """Return the content of ``map_folder``, or if it is None, of the program's map ``map_name``."""
        files = self.table_files(map_name, map_folder)
        # the first file is the map, in its folder
        return _read_shipped(files[0].parent, tuple(path.read_bytes() for path in files))

    def table_files(self, map_name: str, map_folder: Path | None = None) -> Sequence[Path]:
        folder = map_folder or self.maps()[map_name]
        return (folder / MAP_FILE, folder / START_FILE, *sorted(resource("rules", self.key).glob("*.yaml")))

    def game_files(self, folder: Path) -> Sequence[Path]:
        own_rules = sorted((folder / RULES_FOLDER).glob("*.yaml"))
        shipped = sorted(resource("rules", self.key).glob("*.yaml"))
        return (folder / MAP_FILE, folder / SCENARIO_FILE, *own_rules, *shipped)

    def packed_table(self, table: GameData, *, drawings: bool = False) -> bytes:
        fingerprint = table.fingerprint or edition.rules_fingerprint(table)
        return edition.packed_table(table, drawings=drawings, fingerprint=fingerprint)

    def unpacked_table(self, packed: bytes) -> GameData:
        return edition.unpacked_table(packed)

    def fingerprints(self, table: GameData) -> Mapping[str, str]:
        return edition.fingerprints(table)

    def start(self, table: GameData, folder: Path, played: Iterable[str] | None) -> World:
        """Return the start position. ``played``: codes of the realms with a player, None for all.

        Nobody gives the orders of the other realms.
        """
        start = scenario.load_scenario(folder / START_FILE, table.board, table.rules)
        world = start_world.start_world(start, table.board, table.rules)
        codes_played = set(world.realms if played is None else played)
        idle_realms = (realm for code, realm in world.realms.items() if code not in codes_played)
        return world.with_realms(*(realm.evolve(controller=Controller.NOBODY) for realm in idle_realms))
