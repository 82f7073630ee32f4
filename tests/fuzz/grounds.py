"""Where the random games take place: the test world, in positions that hypothesis draws, and the shipped
maps.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any

from gm.campaign.open import Campaign
from gm.core.orders.keys import player_secret
from gm.core.sealing import next_seal
from gm.game.values import GameData, TurnResult
from gm.games.medieval.spec import MedievalGame
from gm.games.medieval.state import World
from gm.store.deadlines import Deadline
from gm.store.disk import build_folder
from gm.store.folder import TURN, GameFolder, log_bytes
from gm.store.formats import new_file
from gm.store.settings import Player, Settings
from tests.drawn import drawn
from tests.medieval import testland
from tests.medieval.positions import worlds

GAME = "fuzz"
SEED = 1320
BANK = 48  # so many positions of the test world are drawn; the games begin from them in turn
SHIPPED = ("minsk", "hexland", "europe-1320")
IN_TIME = datetime(2026, 1, 5, tzinfo=UTC)
TOO_LATE = datetime(2029, 1, 5, tzinfo=UTC)


class OnTable(MedievalGame):
    """The game on one table that is loaded once, whatever folder is opened."""

    def __init__(self, table: GameData) -> None:
        self.table = table

    def load_table(self, folder: Path) -> GameData:
        return self.table

    def fingerprints(self, table: GameData) -> Mapping[str, str]:
        return self._marks

    @cached_property
    def _marks(self) -> Mapping[str, str]:
        return super().fingerprints(self.table)


@cache
def game_on(ground: str) -> OnTable:
    """The game as it is played on a ground: ``testland`` or a shipped map."""
    if ground == "testland":
        return OnTable(GameData(testland.rules(), testland.atlas()))
    return OnTable(MedievalGame().shipped_table(ground))


@cache
def drawn_worlds() -> list[World]:
    """Return the bank of positions on the test world, all with turn 0: a game is to begin from each."""
    return [world.evolve(turn=0) for world in drawn(worlds(), BANK, SEED)]


def ground_of(seed: int) -> str:
    """Half of the games are played on the test world; Europe takes long."""
    if seed % 100 == 99:
        return SHIPPED[2]
    return ("testland", "minsk", "testland", "hexland")[seed % 4]


def start_of(ground: str, random: Random) -> World:
    """A position to begin with: drawn, or a map's own, which the GM often has shaken up."""
    game = game_on(ground)
    if ground == "testland":
        return random.choice(drawn_worlds())
    state = game.start(game.table, game.maps()[ground], None)
    for _ in range(random.choice((0, 0, 5, 20, 60))):
        state = some_amendment(random, game, game.table, state)[1]
    return state


def new_folder(folder: Path, ground: str, state: World, played: Iterable[str], seed: str) -> Campaign:
    """A game's folder as ``pbem new`` makes it, but for the pages, begun from any position."""
    game = game_on(ground)
    due = Deadline.starting("friday", "20:00", "UTC", IN_TIME, timedelta(days=3))
    settings = Settings(id=GAME, game="medieval", map=ground, seed=seed, deadline=due)
    players = [
        Player(
            realm=code,
            name=f"Player {code}",
            email=f"{code.lower()}@example.org",
            secret=player_secret(seed, code),
        )
        for code in sorted(played)
    ]
    start = TurnResult(
        game=GAME,
        before=state,
        after=state,
        events=(),
        keys={player.realm: player.key_for(state.turn + 1) for player in players},
        deadline=due.words(1),
        next_seal=next_seal(seed, GAME, 1),
    )
    files = {
        "game.yaml": new_file("game.yaml", settings=settings),
        "players.yaml": new_file("players.yaml", players=players, words=game.words),
        "turns/turn-00/state.json": game.snapshot.encode(game.record(state)),
        "turns/turn-00/log.jsonl": b"".join(log_bytes(GAME, 0)),
        "turns/turn-00/turn.json": TURN.encode({"turn": 0, "next_seal": start.next_seal}),
    }
    reports = game.reports(game.table, start, html=False)
    files |= {f"turns/turn-00/{name}": data for name, data in reports.items()}
    build_folder(folder, files)
    return campaign_in(folder, game)


def campaign_in(folder: Path, game: Any) -> Campaign:
    """The game in a folder as it is on the disk now."""
    return Campaign(GameFolder(folder), game)


# -- what a GM may do to a game between two turns ------------------------------------------------------------

RELATIONS = ("war", "neutral", "allied", "friendly")


def amendment_words(random: Random, table: GameData, state: World) -> tuple[str, ...]:
    """A correction, possible or not."""
    realms = (*state.realms, "IND", "XYZ")
    place = random.choice((*state.provinces, "Atlantis"))
    one = random.choice(realms)
    other = random.choice(realms)
    unit = random.choice((*state.units, "ENG/A99"))
    count = f"{random.choice('+-')}{random.choice((1, 2, 5, 40))}"
    return random.choice(
        (
            ("gold", one, f"{random.choice('+-')}{random.choice(('1', '0.01', '12.50', '300', '1e9'))}"),
            ("owner", place, one),
            ("owner", place, other),
            ("troops", unit, random.choice((*table.rules.troops, "Dragons")), count),
            ("status", one, random.choice(("royalty", "commoner", "pope"))),
            ("relation", one, other, random.choice(RELATIONS)),
            ("permission", place, one, random.choice(("yes", "no"))),
        )
    )


def some_amendment(random: Random, game: Any, table: GameData, state: World) -> tuple[tuple[str, ...], World]:
    """A correction and the position with it; one that cannot be is refused and changes nothing."""
    words = amendment_words(random, table, state)
    try:
        return words, game.amend(table, state, words, "drawn by lot")[0]
    except ValueError:
        return words, state
