"""Real files of one played turn, to begin from: results, rolls, state, log, settings, players."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cache

from gm.core.codec import json_line
from gm.core.sealing import next_seal, turn_proof
from gm.game.values import TurnResult
from gm.games.medieval.spec import SPEC
from gm.resources import resource
from gm.store.deadlines import Deadline
from gm.store.folder import ROLLS_FILE, log_bytes, rolls_bytes
from gm.store.formats import new_file
from gm.store.inbox import fingerprint
from gm.store.settings import Player, Settings
from gm.text.words import game_words

GAME = "minsk"
MONDAY = datetime(2026, 1, 5, tzinfo=UTC)


@cache
def turn_sample() -> Mapping[str, bytes]:
    """The files of turn 1 of the example, by name, as in a turn's folder."""
    table = SPEC.shipped_table(GAME)
    start = SPEC.start(table, SPEC.maps()[GAME], None)
    folder = resource("examples", "medieval") / GAME / "turn-01"
    orders = {}
    readings = {}
    for path in sorted(folder.glob("*.yaml")):
        data = path.read_bytes()
        reading = SPEC.read_orders(table, start, data, path.name, game=GAME, realm=None, key=None)
        if reading.sheet is not None:
            orders[reading.realm] = data
            readings[reading.realm] = reading
    assert orders, "the example has no orders for turn 1"
    proof = turn_proof("secret", GAME, 1, {realm: fingerprint(data) for realm, data in orders.items()})
    sheets = {realm: reading.sheet for realm, reading in readings.items() if reading.sheet is not None}
    outcome = SPEC.play(table, start, sheets, proof.seed)
    played = TurnResult(
        game=GAME,
        before=start,
        after=outcome.state,
        events=outcome.events,
        readings=readings,
        keys={realm: f"brave-otter-{20 + number}" for number, realm in enumerate(sheets)},
        deadline="Friday",
        proof=proof,
        next_seal=next_seal("secret", GAME, 2),
        tally=SPEC.tally({}, outcome.events),
    )
    return {
        **SPEC.reports(table, played, html=False),
        ROLLS_FILE: rolls_bytes(GAME, 1, outcome.events),
        "state.json": SPEC.snapshot.encode(SPEC.record(outcome.state)),
        "log.jsonl": b"".join(log_bytes(GAME, 1, [*map(json_line, outcome.events)])),
    }


def settings_sample() -> bytes:
    """A ``game.yaml``."""
    due = Deadline.starting("friday", "20:00", "Europe/Minsk", MONDAY, timedelta(days=3))
    settings = Settings(id=GAME, game="medieval", map=GAME, seed="secret", deadline=due)
    return new_file("game.yaml", settings=settings)


def players_sample() -> bytes:
    """A ``players.yaml``."""
    seats = {"LIT": "Anna", "POL": "Piotr"}
    players = tuple(
        Player(realm=realm, name=name, email=f"{name.lower()}@example.org", secret=f"secret of {name}")
        for realm, name in seats.items()
    )
    return new_file("players.yaml", players=players, words=game_words("medieval"))
