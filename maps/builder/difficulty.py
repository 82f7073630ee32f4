"""How hard the realms of a game's maps are to play, for the page on which one is chosen: ``difficulty.yaml``
beside the maps. Realms are told by games that programs have played, levels by how long a program thinks.

    python -m maps.builder.difficulty SIMULATION  a folder of 'pbem simulate': the realms of its map
    python -m maps.builder.difficulty --thinking MAP  how long each level thinks, in seconds of this machine
"""

from __future__ import annotations

import json
import shlex
import sys
import time  # noqa: TID251 - it measures
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
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
TURNS, ASKED = 6, 4  # the position after so many turns; so many realms of it are asked
LIKE_OTHERS = ("strategist",)  # a name for one of the levels


def realm_figures(tally: Tally, growth: float) -> dict[str, float]:
    """What is told of a realm."""
    mean = tally.mean_rank
    spread = (sum((each - mean) ** 2 for each in tally.ranks) / max(1, len(tally.ranks) - 1)) ** 0.5
    return {
        "first": round(100 * tally.first.middle, 1),
        "lasted": round(100 * tally.lasting.middle, 1),
        "grown": round(growth, 1),
        "rank": round(mean, 1),
        "within": round(Z95 * spread / len(tally.ranks) ** 0.5, 1),
    }


def of_simulation(folder: Path) -> tuple[str, str, dict[str, Any]]:
    """The game, the map, and what its games tell. Raises ``ValueError`` for a folder without any."""
    settings, _ = load_data(folder / SETTINGS_FILE)
    lines = (folder / GAMES_FILE).read_text("utf-8").splitlines()
    found = Findings(sorted(map(json.loads, lines), key=itemgetter("game")))
    if not found.games:
        raise ValueError(f"{folder / GAMES_FILE} holds no game")
    plan: Mapping[str, Any] = dict(settings)
    realms = {code: realm_figures(tally, tally.growth.middle) for code, tally in sorted(found.realms.items())}
    even = next(iter(found.realms.values())).fair_first_share
    told = {
        "run": command(plan, found.games),
        "games": found.games,
        "even": round(100 * even, 1),
        "realms": realms,
    }
    return str(plan["game"]), str(plan["map"]), told


def command(plan: Mapping[str, Any], games: int) -> str:
    """The command that plays the same games again."""
    words = [
        "pbem",
        "simulate",
        "--map",
        plan["map"],
        "--bots",
        ",".join(plan["bots"]),
        "--games",
        str(games),
    ]
    chosen = (word for name, value in plan["options"].items() for word in ("--set", f"{name}={value}"))
    return shlex.join([*words, "--turns", str(plan["turns"]), *chosen, "--seed", str(plan["seed"])])


def thinking(map_name: str) -> dict[str, Any]:
    """How long programs think after some turns of a game that the quick ones have played: the mean of some
    realms.
    """
    table, bots = SPEC.shipped_table(map_name), bots_by_name(SPEC)
    state = SPEC.start(table, SPEC.maps()[map_name], None)
    quick = profiles(SPEC)
    spent, turn_time = list[float](), 0.0

    def asked(name: str, realm: str) -> tuple[float, bytes]:
        view = bot_view(SPEC, table, state, realm, game="pace", key="pace", seed=f"{realm} {state.turn}")
        began = time.process_time()
        data = bots[name].orders(view)
        return time.process_time() - began, data

    for _ in range(TURNS):
        sheets: dict[str, Any] = {}
        for at, realm in enumerate(state.realms):
            took, data = asked(quick[at % len(quick)], realm)
            spent.append(took)
            reading = SPEC.read_orders(table, state, data, realm, game="pace", realm=realm, key="pace")
            sheets[realm] = reading.sheet
        began = time.process_time()
        state = SPEC.play(table, state, sheets, f"pace {state.turn}").state
        turn_time = time.process_time() - began
    playing = [code for code in state.realms if state.owned_by(code)]
    some = playing[:: max(1, len(playing) // ASKED)][:ASKED]
    names = [name for name in SPEC.thinkers if name not in LIKE_OTHERS]
    levels = {name: sum(asked(name, code)[0] for code in some) / len(some) for name in names}
    means = {MIXED: sum(spent) / len(spent), **levels}
    return {"thinking": {name: round(each, 3) for name, each in means.items()}, "turn": round(turn_time, 3)}


def written(path: Path, map_name: str, told: Mapping[str, Any]) -> str:
    """The text of the file with what is told of a map put in."""
    known: JsonObject = dict(load_data(path)[0]["maps"]) if path.is_file() else {}
    known[map_name] = {**known.get(map_name, {}), **told}
    lines = [HEAD, "maps:\n"]
    for name, each in sorted(known.items()):
        lines.append(f"  {name}:\n")
        lines += [f"    {key}: {each[key]}\n" for key in ("run", "games", "even", "turn") if key in each]
        for part in ("thinking", "realms"):
            if part in each:
                lines.append(f"    {part}:\n")
                lines += [f"      {_entry(key, value)}\n" for key, value in each[part].items()]
    return "".join(lines)


def _entry(key: str, value: Any) -> str:
    name = f'"{key}"' if key == "NO" else key
    if isinstance(value, Mapping):
        return f"{name}: {{{', '.join(f'{word}: {number}' for word, number in value.items())}}}"
    return f"{name}: {value}"


def main(words: list[str]) -> None:
    """Write what was asked for into the file."""
    if words[:1] == ["--thinking"]:
        found = [(SPEC.key, name, thinking(name)) for name in words[1:]]
    else:
        found = [of_simulation(Path(word)) for word in words]
    for game, name, told in found:
        path = resource("maps", game) / "difficulty.yaml"
        path.write_text(written(path, name, told), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
