"""Random whole games through the whole path of a turn: files in, files out, every property looked at every
turn.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gm.games.medieval import pipeline
from gm.games.medieval.state import World
from tests.fuzz.games import play_game, shrink, what_fails
from tests.fuzz.grounds import game_on
from tests.fuzz.playing import Delivery, Script, Tally, TurnScript, play_script, read_script

CHUNKS = 2
GAMES = 100
"""So many games are in a chunk: 200 in all; ``python -m tests.fuzz`` plays as many others as one likes."""
# so many attempts at most are made to show a failing game smaller; ``--shrink`` does it to the end
SMALL = 60


def plays(seeds: range, tmp_path: Path) -> Tally:
    """Play these games; one that fails is kept in a file, and the failure says how to play it again."""
    tally = Tally()
    for seed in seeds:
        script = play_game(seed, tmp_path / "game", tally)
        if script is not None:
            kept = Path(tmp_path / f"game-{seed}.json")
            kept.write_text(script.text(), encoding="utf-8")
            small = tmp_path / f"game-{seed}-small.json"
            small.write_text(shrink(script, limited(tmp_path / "again")).text(), encoding="utf-8")
            pytest.fail(
                f"random game {seed}: {what_fails(script, tmp_path / 'again')}\n"
                f"again: python -m tests.fuzz {seed}      or: python -m tests.fuzz {kept}\n"
                f"smaller: python -m tests.fuzz {small}      or: python -m tests.fuzz {kept} --shrink "
                "small.json\n"
                f"{small.read_text(encoding='utf-8')[-3000:]}"
            )
    return tally


class limited:  # noqa: N801 - it is used as a function
    """``what_fails``, asked so often at most."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.left = SMALL

    def __call__(self, script: Script) -> str:
        self.left -= 1
        return what_fails(script, self.folder) if self.left > 0 else ""


@pytest.mark.long(25)
@pytest.mark.slow
@pytest.mark.clause("W5", "W10", "W12", "O1", "O2", "O7")
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_hundreds_of_random_games_hold_every_property(
    chunk: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    counts = plays(range(chunk * GAMES, (chunk + 1) * GAMES), tmp_path).counts
    for name in sorted(counts):
        record_property(name, counts[name])
    assert counts["games"] == GAMES
    assert counts["turns"] >= 3 * GAMES
    done = counts["order done"] + counts["order reduced"]
    refused = counts["order failed"] + counts["orders not understood"]
    # what is drawn is worth playing: about half of it is carried out, and much happens
    assert 0.3 < refused / (done + refused) < 0.8
    assert (
        min(counts[name] for name in ("file rejected", "file late", "actions", "turns taken back"))
        > GAMES // 20
    )
    assert counts["battles"] > GAMES // 2


@pytest.mark.slow
def test_some_random_games_hold_every_property(tmp_path: Path) -> None:
    # of the shipped maps: positions on the test world take long to draw, and other properties begin from them
    assert plays(range(3, 11, 2), tmp_path).counts["games"] == 4


def test_the_same_number_gives_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    original = TurnScript

    def never(world: World, *_: object, **__: object) -> Iterator[str]:
        yield "this never holds"

    monkeypatch.setattr("tests.fuzz.playing.file_problems", never)
    for name in ("one", "other"):
        script = play_game(7, tmp_path / name, Tally())
        assert script is not None
        assert all(isinstance(turn, original) for turn in script.turns)
        texts.append(script.text())
    assert texts[0] == texts[1]


def test_a_game_is_kept_in_a_file_as_it_was(tmp_path: Path) -> None:
    game = game_on("minsk")
    start = game.record(game.start(game.table, game.maps()["minsk"], None))
    delivery = Delivery(b"\xff\x00orders: 1", "LIT", late=True)
    turn = TurnScript(
        (("amend", "gold", "LIT", "+1"),), (delivery, Delivery("realm: é".encode())), again=True
    )
    script = Script("minsk", "seed", start, ("LIT", "POL"), (turn,))
    (tmp_path / "kept.json").write_text(script.text(), encoding="utf-8")
    assert read_script(tmp_path / "kept.json") == script


def planted_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn in which anybody declares war loses a coin."""
    play = pipeline.play_turn

    def careless(state: World, sheets: dict[str, object], **more: object) -> object:
        outcome = play(state, sheets, **more)  # type: ignore[arg-type]
        if any(
            "declare_war" in order.written.text for sheet in sheets.values() for order in sheet.headquarters
        ):  # type: ignore[attr-defined]
            realm = next(realm for realm in outcome.state.realms.values() if realm.treasury)
            poorer = outcome.state.with_realms(realm.evolve(treasury=realm.treasury - realm.treasury / 2))
            return outcome.evolve(state=poorer)
        return outcome

    monkeypatch.setattr(pipeline, "play_turn", careless)


@pytest.mark.slow
def test_a_bug_is_found_and_its_game_made_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer can fail, and what it shows then is the order that matters."""
    planted_bug(monkeypatch)
    game = game_on("minsk")
    start = game.record(game.start(game.table, game.maps()["minsk"], None))
    head = "orders: 1\ngame: fuzz\nrealm: {}\nturn: {}\nkey: x\n"
    war = "headquarters:\n  send_gold: {POL: 1}\n  declare_war: [POL]\nunits:\n  Minsk:\n    name: Keep\n"

    def file(realm: str, turn: int, body: str) -> Delivery:
        return Delivery((head.format(realm, turn) + body).encode(), realm)

    quiet = "headquarters:\n  send_ambassador: [NOV]\n"
    first = TurnScript((("amend", "gold", "POL", "+5"),), (file("LIT", 1, quiet), file("POL", 1, quiet)))
    second = TurnScript((("strip", "NOV"),), (file("POL", 2, quiet), file("LIT", 2, war)), again=True)
    third = TurnScript((), (file("POL", 3, quiet),))
    script = Script("minsk", "seed", start, ("LIT", "NOV", "POL", "TEU"), (first, second, third))
    wrong = what_fails(script, tmp_path / "game")
    assert wrong.startswith("WrongTurnError")
    small = shrink(script, lambda script: what_fails(script, tmp_path / "game"))
    assert what_fails(small, tmp_path / "game") == wrong
    assert len(small.turns) == 2
    assert small.turns[0] == TurnScript()
    assert not small.turns[1].actions
    (left,) = small.turns[1].deliveries
    assert b"declare_war" in left.data
    assert b"send_gold" not in left.data
    assert b"Minsk" not in left.data


def test_a_game_that_is_all_right_is_not_made_smaller(tmp_path: Path) -> None:
    game = game_on("minsk")
    start = game.record(game.start(game.table, game.maps()["minsk"], None))
    script = Script("minsk", "seed", start, ("LIT",), (TurnScript(),))
    play_script(tmp_path / "game", script)
    assert shrink(script, lambda script: what_fails(script, tmp_path / "again")) == script
