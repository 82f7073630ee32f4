"""Beginning a game of each kind as people would: who plays what, what can be chosen, and what is told
about it.
"""

import json
from pathlib import Path

import pytest

from gm.store.folder import GameFolder
from tests.commands import repeated
from tests.games.conftest import Run
from tests.games.playing import PLAIN

AT = ("--at", "2026-01-05 12:00")
FIELDS = ("--game", "conquest-fields", "--map", "training-2x3", "--seed", "begin", *AT)


def bots_of(game: Path) -> dict[str, str]:
    return {player.realm: player.bot for player in GameFolder(game).players.players}


def first_move(game: Path) -> Path:
    """Red's template with a move in it, beside the game."""
    path = game.parent / "RED.yaml"
    template = (game / "turns" / "turn-00" / "next" / "RED.yaml").read_text("utf-8")
    path.write_text(f"{template}move: a1-b1\n", encoding="utf-8")
    return path


def kinds(game: Path) -> dict[str, str]:
    parties = json.loads((game / "turns" / "turn-00" / "state.json").read_text("utf-8"))["parties"]
    return {code: party["kind"] for code, party in parties.items()}


@pytest.mark.clause("CF-1.5")
@pytest.mark.clause("CF-1.2")
def test_a_bot_asked_for_on_fields_is_the_games_own_computer(run: Run, tmp_path: Path) -> None:
    said = run("new", "alone", *FIELDS, "--play", "RED", "--bots", "minimax").output
    assert "Bot minimax plays GREEN" in said
    assert "1 player, 2 seats" in said
    game = tmp_path / "alone"
    assert kinds(game) == {"RED": "human", "GREEN": "minimax"}
    assert bots_of(game) == {"RED": ""}
    orders = first_move(game)
    assert "minimax" in run("status", "--game", "alone").output
    assert "All orders are in" in run("receive", "--game", "alone", orders, *AT).output
    run("turn", "--game", "alone")
    moves = json.loads((game / "turns" / "turn-01" / "state.json").read_text("utf-8"))["history"]
    assert [move["by"] for move in moves] == ["human", "minimax"], "one run is a move of both"
    assert "Proven" in run("verify", "--replay", "--game", "alone").output


def test_two_computers_play_as_they_were_asked_for(run: Run, tmp_path: Path) -> None:
    said = run("new", "both", *FIELDS, "--bots").output
    assert "each 'pbem turn --game both' is a turn of the bots" in said
    assert "Send each player" not in said
    assert sorted(kinds(tmp_path / "both").values()) == ["minimax", "veteran"]
    assert "Red" in run("turn", "--game", "both").output


def test_what_was_set_goes_before_bots(run: Run, tmp_path: Path) -> None:
    said = run("new", "set", *FIELDS, "--play", "RED", "--set", "green=greedy", "--bots", "minimax").output
    assert kinds(tmp_path / "set") == {"RED": "human", "GREEN": "greedy"}
    assert "minimax" not in said


@pytest.mark.parametrize("seed", ["one", "two", "three", "four"])
def test_nobody_is_seated_where_the_computer_plays(run: Run, tmp_path: Path, seed: str) -> None:
    options = ("--set", "green=greedy", "--player", "anna@example.org")
    run("new", "drawn", "--game", "conquest-fields", "--seed", seed, *options, *AT)
    assert list(bots_of(tmp_path / "drawn")) == ["RED"]
    refused = run(
        "new", "no", *FIELDS, "--set", "green=greedy", "--player", "GREEN=a@example.org", code=2
    ).output
    assert "GREEN can have no player: the game itself plays it." in refused


def test_too_many_people_are_refused_in_plain_words(run: Run) -> None:
    three = repeated("--player", (f"{name}@example.org" for name in "abc"))
    assert "two people can play, and 3 were named" in run("new", "no", *FIELDS, *three, code=2).output
    refused = run("new", "no", *FIELDS, *three[:4], "--set", "red=greedy", code=2).output
    assert "2 players were named, and red is played by the computer" in refused
    duel = ("--game", "conquest-structures", "--map", "duel-11")
    assert "The duel is for 2 players, not for 3" in run("new", "no", *duel, *three, code=2).output


@pytest.mark.clause("CF-1.2")
def test_a_person_takes_a_computers_side_over_and_the_computer_a_persons(run: Run, tmp_path: Path) -> None:
    run("new", "late", *FIELDS, "--play", "RED", "--bots", "minimax")
    run("seat", "GREEN", "--email", "ben@example.org", "--game", "late")
    assert "not to move" in run("status", "--game", "late").output
    run("seat", "GREEN", "--bot", "greedy", "--game", "late")
    game = tmp_path / "late"
    orders = first_move(game)
    run("receive", "--game", "late", orders, *AT)
    run("turn", "--game", "late")
    folder = GameFolder(game)
    assert folder.turn_record(1)["decisions"]["bots"] == {}, "the computer's side sends no file"
    assert [event["by"] for event in folder.log(1) if event["event"] == "HalfMoved"] == ["human", "greedy"]


def test_the_side_that_waits_is_not_missed(run: Run, tmp_path: Path) -> None:
    players = ("--player", "RED=anna@example.org", "--player", "GREEN=ben@example.org")
    run("new", "two", *FIELDS, *players)
    game = tmp_path / "two"
    orders = first_move(game)
    assert "All orders are in" in run("receive", "--game", "two", orders, *AT).output
    assert "Green   not asked" in run("turn", "--game", "two").output


@pytest.mark.parametrize("name", PLAIN)
def test_every_option_says_what_holds_without_it(run: Run, name: str) -> None:
    said = run("new", "x", "--game", name, "--set", "help").output
    options = [line for line in said.splitlines() if line.startswith("  ")]
    assert options
    assert all("(default: " in line and "(default: )" not in line for line in options)


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("gren=greedy", "no option is called 'gren': did you mean 'green'?\n"),
        (
            "green=greed",
            "green: input should be 'human', 'random', 'greedy', 'minimax', 'veteran' or 'master'.",
        ),
        ("minimax_depth=99", "minimax_depth: input should be less than or equal to 9."),
    ],
)
def test_a_setting_that_cannot_be_is_refused(run: Run, option: str, complaint: str) -> None:
    assert complaint in run("new", "no", *FIELDS, "--set", option, code=2).output


def test_a_map_says_by_its_name_which_game_it_is_for(run: Run, tmp_path: Path) -> None:
    run("map", "show", "duel-11", "--out", "duel.svg")
    assert "H1" in (tmp_path / "duel.svg").read_text("utf-8")
    assert "triangles-7x6: no problems found." in run("map", "check", "triangles-7x6").output
    run("handbook", "--map", "four-shores", "--out", "rules.html")
    assert "CN-1.1" in (tmp_path / "rules.html").read_text("utf-8")
    assert json.loads(run("schema", "orders", "--map", "duel-11").output)["title"] == "Orders of CONQUEST"
    assert "say '--game conquest-structures' too" in run("new", "no", "--map", "duel-11", code=2).output
    assert (
        "no game is called 'chess'" in run("map", "check", "duel-11", "--game-name", "chess", code=2).output
    )


def test_a_game_without_battles_says_so_to_odds(run: Run) -> None:
    assert (
        "has no odds to estimate"
        in run("odds", "--map", "duel-11", "3 Infantry", "vs", "1 Tank", code=2).output
    )


def test_a_template_for_a_german_player_is_german_and_can_be_sent(run: Run, tmp_path: Path) -> None:
    (tmp_path / "friends.yaml").write_text("players:\n  - {realm: RED, language: de}\n", encoding="utf-8")
    run("new", "deutsch", *FIELDS, "--players", "friends.yaml")
    template = (tmp_path / "deutsch" / "turns" / "turn-00" / "next" / "RED.yaml").read_text("utf-8")
    assert "Die Befehle von Rot für Zug 1." in template
    assert "#   a1: wächst nach b1; springt nach b2" in template
    lines = template.replace("# resign", "resign").replace("# note", "note").replace("# language", "language")
    (tmp_path / "RED.yaml").write_text(lines, encoding="utf-8")
    results = tmp_path / "deutsch" / "turns" / "turn-00" / "results" / "RED.yaml"
    assert "no problems found" in run("check", "RED.yaml", "--results", results).output


def test_check_speaks_of_no_price_where_nothing_is_bought(run: Run, tmp_path: Path) -> None:
    run("new", "two", *FIELDS, "--play", "RED")
    results = tmp_path / "two" / "turns" / "turn-00" / "results" / "RED.yaml"
    said = run("check", first_move(tmp_path / "two"), "--results", results).output
    assert "done" in said
    assert "free" not in said


def test_a_game_that_is_over_awaits_no_orders(run: Run, tmp_path: Path) -> None:
    run(
        "new",
        "both",
        *FIELDS,
        "--set",
        "red=minimax",
        "--set",
        "green=minimax",
        "--set",
        "half_moves_per_run=0",
    )
    run("turn", "--game", "both")
    assert run("status", "--game", "both").output.startswith("both (Conquest)\n")


def test_a_file_set_aside_in_a_game_without_keys_is_told_its_own_fault(run: Run, tmp_path: Path) -> None:
    players = ("--player", "RED=anna@example.org", "--player", "GREEN=ben@example.org")
    run("new", "open", *FIELDS, "--no-keys", *players)
    (tmp_path / "mine.yaml").write_text("game: open\nturn: 1\nplayer: red\nmove: c1-b1\n", encoding="utf-8")
    run("receive", "--game", "open", "mine.yaml", *AT, code=1)
    said = run("turn", "--game", "open", "--missing-ok").output
    assert "Red: a file was rejected: c1 is not yours." in said
    assert "key" not in said.split("What happened")[0]
    assert "Proven" in run("verify", "--replay", "--game", "open").output


@pytest.mark.clause("CN-2.5")
def test_seats_go_to_players_as_they_are_named(run: Run) -> None:
    """14.D29: ``seat_order=joined``, the default; ``shuffled`` draws."""
    people = repeated("--player", (f"{name}@example.org" for name in "abcd"))
    said = run("new", "four", "--game", "conquestination", "--set", "seat_order=joined", *people, *AT).output
    seats = {line.split()[0]: line.split()[-1] for line in said.splitlines() if line.endswith("@example.org")}
    assert seats == {**seats, "RED": "a@example.org", "BLUE": "b@example.org"}
    order = list(json.loads(Path("four/turns/turn-00/state.json").read_text("utf-8"))["parties"])
    assert [seats[code][0] for code in order] == list("abcd")


@pytest.mark.slow
def test_a_home_that_somebody_plays_is_never_left_out_by_the_draw(run: Run) -> None:
    """14.D27: ``pbem new --game conqueror --play WESS --set max_players=5``."""
    for seed in "abcdef":
        run(
            "new",
            seed,
            "--game",
            "conqueror",
            "--play",
            "WESS",
            "--set",
            "max_players=2",
            "--bots",
            "--seed",
            seed,
        )


def test_a_game_with_until_ends_by_itself_and_replays(run: Run) -> None:
    """14.D28: the day of the deadline decides, and the record of the turn keeps it."""
    options = ["--set", "until=2026-01-16", "--first", "2026-01-09", "--at", "2026-01-05 12:00"]
    run("new", "short", "--game", "conqueror", "--map", "duchies", "--bots", *options)
    assert "is over" not in run("turn", "--game", "short", "--no-html").output
    assert "The game's last day has come" in run("turn", "--game", "short", "--no-html").output
    assert "2 turns came out the same" in run("verify", "--replay", "--game", "short").output


def test_a_seat_given_to_a_strategy_is_the_computers(run: Run) -> None:
    """14.D30: ``pbem seat GREEN --bot greedy`` in a game of Conquest."""
    run("new", "two", "--game", "conquest-fields", "--play", "RED", "--play", "GREEN", *AT)
    run("seat", "GREEN", "--bot", "greedy", "--game", "two")
    orders = Path("two/turns/turn-00/next/RED.yaml")
    orders.write_text(orders.read_text("utf-8").replace("# move:", "move:"), "utf-8")
    run("receive", "--game", "two", orders, *AT)
    run("turn", "--game", "two")
    state = json.loads(Path("two/turns/turn-01/state.json").read_text("utf-8"))
    assert [half_move["by"] for half_move in state["history"]] == ["human", "greedy"]
    assert "1 turn came out the same" in run("verify", "--replay", "--game", "two").output
