"""Programs that play: how they are asked, found by name, and run as processes, whatever they do."""

import json
import sys
from importlib.metadata import EntryPoint
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from gm.bots import registry
from gm.bots.program import ProgramBot, answer_of, document_of
from gm.bots.registry import bot_named, bots_of
from gm.core.yaml.source import Source
from gm.game.bots import BotError, ask, bot_seed
from gm.game.spec import GameSpec
from gm.game.values import View
from gm.games.medieval.spec import SPEC
from gm.store.settings import bot_label
from tests.core.cases import cases
from tests.medieval.botland import view_of
from tests.medieval.testland import make_world
from tests.waiting import is_running, wait_for

STEWARD = Path(__file__).parents[2] / "examples" / "bots" / "steward.py"


def view() -> View:
    return view_of(make_world(), "ENG")


class Made:
    """A bot whose answer is given."""

    name = "made"
    about = "Answers what it was made with."

    def __init__(self, answer: Any = b"") -> None:
        self.answer = answer

    def orders(self, view: View) -> bytes:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[no-any-return]


class Careful(Made):
    """A class that the registry can find."""

    name = "careful"

    def orders(self, view: View) -> bytes:
        head = f"orders: 1\ngame: {view.game}\nrealm: {view.realm}\nturn: {view.turn}\nkey: {view.key}\n"
        return head.encode()


READY = Careful()


def test_a_good_answer_is_read_as_orders() -> None:
    answer = ask(SPEC, READY, view())
    assert (answer.trouble, answer.data) == ("", READY.orders(view()))
    assert answer.reading is not None
    assert answer.reading.realm == "ENG"


@pytest.mark.clause("N3", "O7")
@pytest.mark.parametrize(
    ("made", "said"),
    [
        (ZeroDivisionError("by nothing"), "ZeroDivisionError: by nothing"),
        (BotError("no wish to play"), "no wish to play"),
        ("text", "it answered with str instead of bytes"),
        (None, "it answered with NoneType instead of bytes"),
        (b"", "its answer cannot be read"),
        (b"\xff\xfe\x00garbage", "its answer cannot be read"),
        (b"orders: 1\ngame: test\nrealm: FRA\nturn: 1\nkey: a-key-1\n", "orders for ENG were expected"),
        (b"orders: 1\ngame: test\nrealm: ENG\nturn: 9\nkey: a-key-1\n", "not for turn 9"),
    ],
)
def test_whatever_a_bot_does_wrong_is_told_and_stops_nothing(made: object, said: str) -> None:
    answer = ask(SPEC, Made(made), view())
    assert answer.reading is None
    assert said in answer.trouble
    assert "\n" not in answer.trouble


def test_what_a_broken_bot_says_is_one_short_line_that_can_be_printed() -> None:
    answer = ask(SPEC, Made(ValueError("a\nb\x1b[31m" + "x" * 5000)), view())
    assert answer.trouble.isprintable()
    assert len(answer.trouble) <= 300


def test_the_seed_of_a_bots_dice_is_another_for_each_game_turn_and_party() -> None:
    seeds = {
        bot_seed("master", game, turn, realm) for game, turn, realm in product("ab", (1, 2), ("ENG", "FRA"))
    }
    assert len(seeds) == 8
    assert bot_seed("master", "a", 1, "ENG") in seeds
    assert bot_seed("other", "a", 1, "ENG") not in seeds


@cases("labels")
def test_the_record_of_a_turn_does_not_tell_a_gms_folders_and_arguments(name: str, label: str) -> None:
    assert bot_label(name) == label


def test_a_bot_is_found_by_its_name_in_the_game() -> None:
    assert bots_of(SPEC, Path("nowhere"))("conqueror") is SPEC.bots["conqueror"]


@pytest.mark.parametrize("name", ["tests.core.test_bots:Careful", "tests.core.test_bots:READY"])
def test_a_bot_is_found_in_a_module_as_a_class_or_an_object(name: str) -> None:
    assert bot_named(SPEC, name).orders(view()) == READY.orders(view())


@cases("no bots")
def test_a_bot_that_is_not_there_is_told_with_the_nearest_name(name: str, says: str) -> None:
    with pytest.raises(ValueError, match="bot") as error:
        bot_named(SPEC, name)
    assert says in str(error.value)


def test_bots_of_installed_packages_are_found_by_their_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {
        "medieval.careful": "Careful",
        "anywhere": "READY",
        "chess.careless": "READY",
        "conqueror": "READY",
    }
    points = [
        EntryPoint(name, f"tests.core.test_bots:{it}", registry.ENTRY_POINTS) for name, it in named.items()
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points)
    assert bot_named(SPEC, "careful").name == "careful"
    assert bot_named(SPEC, "anywhere") is READY
    assert bot_named(SPEC, "conqueror") is SPEC.bots["conqueror"]
    with pytest.raises(ValueError, match="no bot is called"):
        bot_named(SPEC, "careless")


def program(script: str) -> str:
    """The command that runs a piece of Python."""
    import shlex

    return shlex.join([sys.executable, "-c", script])


@pytest.mark.parametrize("realm", ["ENG", "TEU"])
def test_the_example_program_plays_over_real_pipes(realm: str) -> None:
    world = make_world(provinces={"Kent": {"annexed_to": None}})
    bot = bot_named(SPEC, f"program:{sys.executable} {STEWARD}")
    view = view_of(world, realm)
    answer = ask(SPEC, bot, view)
    assert answer.trouble == ""
    assert answer.reading is not None
    assert answer.reading.diagnostics == ()
    tried = SPEC.preview(
        view.table, view.state, realm, answer.reading.sheet, Source("x", answer.data.decode())
    )
    assert tried.orders
    assert [order for order in tried.orders if order.fate != "done"] == []
    assert any("annex: Kent" in order.order for order in tried.orders) is (realm == "ENG")


def test_the_example_imports_nothing_of_ours() -> None:
    imported = [
        line.split()[1] for line in STEWARD.read_text().splitlines() if line.startswith(("import", "from"))
    ]
    assert sorted(imported) == ["decimal", "json", "sys", "typing"]


def test_a_program_is_told_the_position_and_no_other_treasury() -> None:
    world = make_world(realms={"ENG": {"treasury": 11}, "FRA": {"treasury": 4711}})
    document = json.loads(json.dumps(document_of(SPEC, view_of(world, "ENG"))))
    head = [document[name] for name in ("format", "game", "plays", "realm", "turn", "key")]
    assert head == [1, "test", "medieval", "ENG", 1, "a-key-1"]
    assert document["private"] == {"treasury": "11"}
    assert "4711" not in json.dumps(document)
    assert document["position"]["provinces"]["London"]["owner"] == "ENG"
    assert document["map"]["locations"]["London"]["city"]["resource"] == 6
    assert document["rules"]["troops"]["Longbowmen"]["combat"] == 60


def test_a_game_without_words_of_its_own_tells_programs_its_state() -> None:
    class Mute:
        key = "mute"
        recall = None
        program_view = GameSpec.program_view
        quoted = GameSpec.quoted

        def record(self, state: Any) -> dict[str, Any]:
            return {"board": [1, 2, 3]}

    spec: Any = Mute()
    assert document_of(spec, view())["position"] == {"board": [1, 2, 3]}


@cases("failing programs")
def test_a_program_that_fails_is_told_why(command: str, says: str) -> None:
    with pytest.raises(BotError, match=r"^[^\n]*$") as error:
        answer_of(program(command[7:]) if command.startswith("python:") else command, b"{}", 20)
    assert says in str(error.value)


@pytest.mark.slow
def test_a_program_that_thinks_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    born = tmp_path / "born"
    with pytest.raises(BotError, match=r"no answer within 2 seconds"):
        answer_of(f"sh -c 'sleep 600 & echo $! > {born}; wait'", b"{}", 2)
    child = int(born.read_text())
    wait_for(lambda: not is_running(child), "the end of what the program has started")


def test_a_program_need_not_read_what_it_is_told() -> None:
    assert answer_of(program("print('hello')"), b"x" * 5_000_000, 20) == b"hello\n"


def test_a_program_that_answers_nonsense_leaves_its_realm_standing() -> None:
    bot = ProgramBot(program("print('the moon is made of cheese')"), SPEC)
    answer = ask(SPEC, bot, view())
    assert answer.reading is None
    assert "its answer cannot be read" in answer.trouble
