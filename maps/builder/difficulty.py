"""Write how hard the realms of a game's maps are to play, for the page on which one is chosen.

It goes into ``difficulty.yaml`` beside the maps. Realms are measured by games that programs have played,
levels by how long a program thinks.

    python -m maps.builder.difficulty SIMULATION  a folder of 'pbem simulate': the realms of its map
    python -m maps.builder.difficulty --thinking MAP  how long each level thinks, in seconds of this machine
"""

from __future__ import annotations

import json
import shlex
import sys
import time  # noqa: TID251 - it measures
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any

from gm.campaign.new_game import MIXED, profiles
from gm.core.yaml.models import load_data
from gm.game.bots import bot_view, bots_by_name
from gm.games.medieval.spec import SPEC
from gm.resources import resource
from gm.simulation.estimates import Z95
from gm.simulation.findings import Findings, Tally
from gm.simulation.folder import GAMES_FILE, SETTINGS_FILE
from gm.store.formats import JsonObject

HEAD = """\
# How hard each realm is to play, and how long programs think: made by python -m maps.builder.difficulty,
# which says how; told on the page of 'pbem play' on which a realm is chosen. By map:
#   run        the command of the games that it is counted from, programs in every seat
#   games      how many there were; even: the share of them, in percent, in which a realm is first by lot
#   realms     first: in how many percent of the games it was; lasted: in how many it was there at the end;
#              grown: the median growth of its score; rank: its mean rank at the end, within (95%)
#   thinking   seconds of one core that a program of each level takes for a turn of one realm
#   turn       the same for all the rest of a turn
"""
TURNS = 6
"""Programs of each level are asked in the position after so many turns."""
ASKED = 4
"""They are asked for so many of its realms at most."""
LIKE_OTHERS = ("strategist",)
"""Names for one of the levels."""


def realm_figures(tally: Tally, growth: float) -> dict[str, float]:
    """Return the figures of a realm, as the head of the file explains them."""
    ranks = tally.ranks
    mean = tally.mean_rank
    squares = sum((rank - mean) ** 2 for rank in ranks)
    spread = (squares / max(1, len(ranks) - 1)) ** 0.5
    return {
        "first": round(100 * tally.first.middle, 1),
        "lasted": round(100 * tally.lasting.middle, 1),
        "grown": round(growth, 1),
        "rank": round(mean, 1),
        "within": round(Z95 * spread / len(ranks) ** 0.5, 1),
    }


def of_simulation(folder: Path) -> tuple[str, str, dict[str, Any]]:
    """Return the game, the map and what goes into the file of a simulation.

    Raises ``ValueError`` for a folder without any game.
    """
    settings, _ = load_data(folder / SETTINGS_FILE)
    lines = (folder / GAMES_FILE).read_text("utf-8").splitlines()
    records = sorted(map(json.loads, lines), key=itemgetter("game"))
    findings = Findings(records)
    if not findings.games:
        raise ValueError(f"{folder / GAMES_FILE} holds no game")
    plan: Mapping[str, Any] = dict(settings)
    realms = {}
    for code, tally in sorted(findings.realms.items()):
        realms[code] = realm_figures(tally, tally.growth.middle)
    first_tally = next(iter(findings.realms.values()))
    entry = {
        "run": command(plan, findings.games),
        "games": findings.games,
        "even": round(100 * first_tally.fair_first_share, 1),
        "realms": realms,
    }
    return str(plan["game"]), str(plan["map"]), entry


def command(plan: Mapping[str, Any], games: int) -> str:
    """Return the command that plays the same games again; ``plan``: the settings of their simulation."""
    words = ["pbem", "simulate", "--map", plan["map"], "--bots", ",".join(plan["bots"])]
    words += ["--games", str(games), "--turns", str(plan["turns"])]
    for name, value in plan["options"].items():
        words += ["--set", f"{name}={value}"]
    return shlex.join([*words, "--seed", str(plan["seed"])])


class TimedGame:
    """A game of the quick programs on a map, whose programs are timed."""

    def __init__(self, map_name: str) -> None:
        self.table = SPEC.shipped_table(map_name)
        self.state = SPEC.start(self.table, SPEC.maps()[map_name], None)
        self.bots = bots_by_name(SPEC)
        self.quick = profiles(SPEC)
        self.spent: list[float] = []
        """Seconds that a quick program thought, for each realm and turn."""
        self.turn_time = 0.0
        """Seconds that the rest of the last turn took."""

    def ask(self, name: str, realm: str) -> tuple[float, bytes]:
        """Return how many seconds a program thinks for a realm, and the orders that it makes."""
        seed = f"{realm} {self.state.turn}"
        view = bot_view(SPEC, self.table, self.state, realm, game="pace", key="pace", seed=seed)
        start = time.process_time()
        orders = self.bots[name].orders(view)
        return time.process_time() - start, orders

    def play_turn(self) -> None:
        """Play a turn with a quick program for each realm; the programs take turns."""
        sheets: dict[str, Any] = {}
        for number, realm in enumerate(self.state.realms):
            name = self.quick[number % len(self.quick)]
            seconds, orders = self.ask(name, realm)
            self.spent.append(seconds)
            reading = SPEC.read_orders(
                self.table, self.state, orders, realm, game="pace", realm=realm, key="pace"
            )
            sheets[realm] = reading.sheet
        start = time.process_time()
        self.state = SPEC.play(self.table, self.state, sheets, f"pace {self.state.turn}").state
        self.turn_time = time.process_time() - start

    def sampled_realms(self) -> list[str]:
        """Return some of the realms that still have land."""
        playing = [code for code in self.state.realms if self.state.owned_by(code)]
        stride = max(1, len(playing) // ASKED)
        return playing[::stride][:ASKED]


def thinking(map_name: str) -> dict[str, Any]:
    """Return the entries ``thinking`` and ``turn`` of a map, in seconds.

    The quick programs play a game. For them it is the mean of all realms and turns; the other levels are
    asked for some realms after the last turn.
    """
    game = TimedGame(map_name)
    for _ in range(TURNS):
        game.play_turn()
    means = {MIXED: fmean(game.spent)}
    for name in SPEC.thinkers:
        if name not in LIKE_OTHERS:
            means[name] = fmean(game.ask(name, realm)[0] for realm in game.sampled_realms())
    rounded = {name: round(seconds, 3) for name, seconds in means.items()}
    return {"thinking": rounded, "turn": round(game.turn_time, 3)}


def written(path: Path, map_name: str, entry: Mapping[str, Any]) -> str:
    """Return the text of the file with a map's entry; what it does not replace stays.

    ``entry``: values by the keys that the head of the file explains.
    """
    entries: JsonObject = dict(load_data(path)[0]["maps"]) if path.is_file() else {}
    entries[map_name] = {**entries.get(map_name, {}), **entry}
    lines = [HEAD, "maps:\n"]
    for name, values in sorted(entries.items()):
        lines.append(f"  {name}:\n")
        lines += _entry_lines(values)
    return "".join(lines)


def _entry_lines(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a map's entry, below its name."""
    for key in ("run", "games", "even", "turn"):
        if key in values:
            yield f"    {key}: {values[key]}\n"
    for part in ("thinking", "realms"):
        if part in values:
            yield f"    {part}:\n"
            yield from (f"      {_field(key, value)}\n" for key, value in values[part].items())


def _field(key: str, value: Any) -> str:
    """Return a key and its value as YAML; a realm's code ``NO`` would be a truth value without quotes."""
    name = f'"{key}"' if key == "NO" else key
    if not isinstance(value, Mapping):
        return f"{name}: {value}"
    fields = [f"{word}: {number}" for word, number in value.items()]
    return f"{name}: {{{', '.join(fields)}}}"


def main(words: list[str]) -> None:
    """Write what was asked for into the file."""
    if words[:1] == ["--thinking"]:
        entries = [(SPEC.key, name, thinking(name)) for name in words[1:]]
    else:
        entries = [of_simulation(Path(word)) for word in words]
    for game, map_name, entry in entries:
        path = resource("maps", game) / "difficulty.yaml"
        path.write_text(written(path, map_name, entry), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
