"""``pbem check``: the same reader and the same turn as the real one, for players and for the GM (O2, H1)."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from gm.text.pages import gold
from tests.cli.conftest import Run, content, key_of, write_orders

CLEAN = "headquarters:\n  offer_peace: [POL]\n  proclamation: Good ale to all.\n"
DOUBTFUL = "headquarters:\n  send_gold: {POL: 4000}\n"
WRONG = "units:\n  Minsk:\n    plan:\n      - march: Minks\n"


def test_with_results_that_came_by_mail_any_key_will_do_that_has_no_slip(game: Path, run: Run) -> None:
    """14.A1, 14.A2: mailed results hold no key; a slip is seen by the key itself."""
    results = game / "turns/turn-00/results/LIT.yaml"
    key = key_of(game, "LIT")
    mailed = game.parent / "mailed.yaml"
    mailed.write_text(results.read_text("utf-8").replace(key, "put-your-key-here"), "utf-8")
    right = write_orders(game, "LIT", CLEAN)
    slip = write_orders(game, "LIT", CLEAN, name="slip.yaml", key=key[:-1])
    left_out = write_orders(game, "LIT", CLEAN, name="none.yaml", key="put-your-key-here")
    assert "key" not in run("check", right, "--results", mailed).output
    assert (
        "is invalid: its words and its digits do not match" in run("check", slip, "--results", mailed).output
    )
    assert "the key has not been filled in" in run("check", left_out, "--results", mailed).output


@pytest.mark.clause("H1")
def test_the_forecast_is_printed_and_a_shortfall_is_warned_of(game: Path, run: Run) -> None:
    output = run("check", write_orders(game, "LIT", DOUBTFUL)).output
    assert "warning[books/shortfall]: these orders cost" in output
    assert "rule H1" in output
    lines = {
        line.split("  ")[1].strip(): line.split()[-2:]
        for line in output.splitlines()
        if line.startswith("  ")
    }
    assert lines["in the treasury now"][-1] == "90.00"
    assert lines["gold to Poland"] == ["−4,000.00", "−3,910.00"]
    assert lines["10% fee for sending it"] == ["−400.00", "−4,310.00"]
    assert float(lines["short of it"][-1].replace("−", "-").replace(",", "")) < -4310
    assert "In all: headquarters −4,400.00, garrisons 0.00, upkeep" in output
    # what is left over is less than the margin: a milder word
    books = json.loads(run("check", write_orders(game, "LIT"), "--json").output)["forecast"]
    spare = (float(books["surplus"]) - 1) / 1.1
    low = run(
        "check", write_orders(game, "LIT", f"headquarters:\n  send_gold: {{POL: {spare:.2f}}}\n")
    ).output
    assert "warning[books/low]: these orders leave" in low


ATTACK = """units:
  Minsk:
    form: {A1: The Wolves}
    recruit: {Archers: 30}
    plan: [{transfer: {to: A1, troops: {Slavic Nobles: 3, Archers: 4}}}]
  A1:
    plan: [march: Mazyr, pillage]
"""
BUILDING = (
    "headquarters: {proclamation: Peace.}\nunits: {Minsk: {recruit: {Archers: 8}, build: [production "
    "area]}}\n"
)


@pytest.mark.clause("H1", "L9", "L11", "L13")
@pytest.mark.parametrize("body", [CLEAN, BUILDING, ATTACK, DOUBTFUL])
def test_the_turn_leaves_the_gold_that_the_check_told(game: Path, run: Run, body: str) -> None:
    path = write_orders(game, "LIT", body)
    forecast = json.loads(run("check", path, "--json").output)["forecast"]
    output = run("check", path).output
    least = Decimal(forecast["least"])
    most = Decimal(forecast["most"])
    open_to_chance = body == ATTACK
    assert (f"between {gold(least)} and {gold(most)} as chance" in " ".join(output.split())) is open_to_chance
    run("receive", path)
    run("turn", "--missing-ok", "--no-html")
    state = json.loads((game / "turns/turn-01/state.json").read_text("utf-8"))
    after = Decimal(state["realms"]["LIT"]["treasury"])
    assert least <= after <= most
    assert (least < most) is open_to_chance


def test_a_player_checks_with_nothing_but_his_results(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_orders(game, "LIT", DOUBTFUL + WRONG)
    by_gm = run("check", path, code=2).output
    results = (game / "turns/turn-00/results/LIT.yaml").read_bytes()
    home = game.parent / "home"
    home.mkdir()
    (home / "results.yaml").write_bytes(results)
    (home / "orders.yaml").write_bytes(path.read_bytes())
    monkeypatch.chdir(home)
    by_player = run("check", "orders.yaml", "--results", "results.yaml", code=2).output
    assert by_player.replace("orders.yaml", str(path)) == by_gm


def test_a_player_cannot_check_for_another_realm_or_with_a_wrong_key(game: Path, run: Run) -> None:
    path = write_orders(game, "LIT", CLEAN)
    other = game / "turns/turn-00/results/POL.yaml"
    said = run("check", path, "--results", other, code=2).output
    assert "these are orders for LIT; orders for POL were expected" in said
    forged = write_orders(game, "LIT", CLEAN, name="forged.yaml", key="wrong-key-11")
    for more in ((), ("--results", game / "turns/turn-00/results/LIT.yaml")):
        output = run("check", forged, *more, code=2).output
        assert "sheet/wrong-key" in output
        assert key_of(game, "LIT") not in output


def test_the_check_cannot_see_the_games_dice(game: Path, run: Run) -> None:
    # an attack on a neighbour: the trial fights, with dice of its own
    body = "units:\n  Minsk:\n    form: {A1: The Wolves}\n    plan:\n"
    body += (
        "      - transfer: {to: A1, troops: {Slavic Nobles: 3, Archers: 4}}\n  A1:\n    plan:\n      - "
        "march: Polotsk\n"
    )
    path = write_orders(game, "LIT", body)
    outputs = set()
    for seed in ("test", "other", "third"):
        text = (game / "game.yaml").read_text(encoding="utf-8")
        start, _, rest = text.partition("seed: ")
        (game / "game.yaml").write_text(
            f"{start}seed: {seed}\n{rest.partition(chr(10))[2]}", encoding="utf-8"
        )
        outputs.add(run("check", path).output)
    assert len(outputs) == 1


def test_check_changes_nothing(game: Path, run: Run) -> None:
    path = write_orders(game, "LIT", CLEAN)
    before = content(game.parent)
    run("check", path)
    assert content(game.parent) == before


def test_check_speaks_json(game: Path, run: Run) -> None:
    data = json.loads(run("check", write_orders(game, "LIT", DOUBTFUL + WRONG), "--json", code=2).output)
    assert (data["realm"], data["readable"], data["errors"]) == ("LIT", True, 1)
    assert {"trial/gold-too-little", "order/unknown-province"} <= {
        diagnostic["code"] for diagnostic in data["diagnostics"]
    }
    assert data["forecast"]["warning"] == "short"
    assert data["books"][0] == {"says": "in the treasury now", "amount": None, "balance": "90"}
    (sent,) = data["orders"]
    assert (sent["line"], sent["column"], sent["order"]) == (7, 15, "send_gold: POL 4000")
    assert (sent["fate"], sent["open"], sent["reason"], sent["clause"]) == (
        "failed",
        False,
        "gold-too-little",
        "L3.1",
    )
    assert sent["figures"] == {"needs": "4400.00", "has": "90"}
    assert sent["says"].startswith("needs 4,400 gold")
    assert sent["cost"] == {"gold": "0", "moves": 0}
    assert [phase["phase"] for phase in data["plan"]] == [0, 1, 2]
    unreadable = game.parent / "x.yaml"
    unreadable.write_text("x: [", encoding="utf-8")
    data = json.loads(run("check", unreadable, "--json", code=2).output)
    assert (data["realm"], data["readable"], data["forecast"]) == (None, False, None)
    assert (data["orders"], data["plan"], data["books"]) == ([], [], [])


MARCHING = """units:
  Minsk:
    form: {A1: Iron Wolves}
    recruit: {Archers: 1}
    plan:
      - transfer: {to: A1, troops: {Slavic Nobles: 3, Archers: 2}}
  A1:
    plan:
      - march: Zodzina
      - hold
      - march: Minsk
"""


@pytest.mark.clause("O2", "P3", "P4")
def test_the_plan_is_laid_out_by_phase_with_move_points_and_every_order_has_its_cost(
    game: Path, run: Run
) -> None:
    path = write_orders(game, "LIT", MARCHING)
    data = json.loads(run("check", path, "--json").output)
    assert [(phase["phase"], phase["units"]) for phase in data["plan"]] == [
        (0, {"LIT/A1": {"place": "Minsk", "aboard": None, "moves": 2}}),
        (1, {"LIT/A1": {"place": "Zodzina", "aboard": None, "moves": 1}}),
        (2, {"LIT/A1": {"place": "Zodzina", "aboard": None, "moves": 1}}),
        (3, {"LIT/A1": {"place": "Minsk", "aboard": None, "moves": 0}}),
        (4, {"LIT/A1": {"place": "Minsk", "aboard": None, "moves": 0}}),
    ]
    assert {order["order"]: order["cost"] for order in data["orders"]} == {
        "Minsk form: A1 Iron Wolves": {"gold": "0", "moves": 0},
        "Minsk recruit: 1 Archers": {"gold": "4.00", "moves": 0},
        "Minsk transfer: 3 Slavic Nobles, 2 Archers to A1": {"gold": "0", "moves": 0},
        "A1 march: Zodzina": {"gold": "0", "moves": 1},
        "A1 hold": {"gold": "0", "moves": 0},
        "A1 march: Minsk": {"gold": "0", "moves": 1},
    }
    output = run("check", path).output
    table = [line.split() for line in output.splitlines()]
    assert ["start", "phase", "1", "phase", "2", "phase", "3"] in table
    assert ["A1", "Minsk", "2", "Zodzina", "1", "Zodzina", "1", "Minsk", "0"] in table
    assert ["14", "A1", "march:", "Zodzina", "1", "move-point"] in table
    assert ["9", "Minsk", "recruit:", "1", "Archers", "4", "gold"] in table


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_it_fits_the_terminal(game: Path, run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    body = MARCHING.replace("Iron Wolves", "The very old and very famous Guard")
    path = write_orders(game, "LIT", body)
    output = run("check", path).output
    plan = output[output.index("Your orders") : output.index(f"{path}: ")]
    assert max(map(len, plan.splitlines())) <= columns
    assert {"The", "very", "old", "and", "famous", "Guard"} <= set(plan.split())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[1, 2]",
        "results: 1\n",
        "results: 1\nposition: 5\nmap: minsk\n",
        "results: 99\n",
        "\x00",
        "a: &a [*a]",
    ],
)
def test_a_spoilt_results_file_is_no_crash(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "orders.yaml").write_text("orders: 1\n", encoding="utf-8")
    (tmp_path / "results.yaml").write_text(text, encoding="utf-8")
    assert (
        "error in pbem itself" not in run("check", "orders.yaml", "--results", "results.yaml", code=2).output
    )


# -- used wrongly --------------------------------------------------------------------------------------------


def test_results_of_another_turn_or_realm_or_game_are_told_of(game: Path, run: Run) -> None:
    results = game / "turns/turn-00/results/LIT.yaml"
    later = write_orders(game, "LIT", CLEAN, name="later.yaml", turn=1)
    text = later.read_text(encoding="utf-8")
    later.write_text(text.replace("turn: 1", "turn: 3"), encoding="utf-8")
    assert "sheet/wrong-turn" in run("check", later, "--results", results, code=2).output
    other = write_orders(game, "LIT", CLEAN, name="other.yaml")
    other.write_text(text.replace("game: minsk", "game: krakow"), encoding="utf-8")
    assert "sheet/wrong-game" in run("check", other, "--results", results, code=2).output
    # the files swapped: results where orders belong, orders where results do
    assert "it cannot be accepted as it is" in run("check", results, "--results", results, code=2).output
    assert "not a results file" in run("check", results, "--results", other, code=2).output


def test_a_map_that_does_not_come_with_gm_is_asked_for(game: Path, run: Run) -> None:
    path = write_orders(game, "LIT", CLEAN)
    results = game.parent / "mine.yaml"
    text = (game / "turns/turn-00/results/LIT.yaml").read_text(encoding="utf-8")
    results.write_text(text.replace('map: "minsk"', 'map: "mine"'), encoding="utf-8")
    output = " ".join(run("check", path, "--results", results, code=2).output.split())
    assert "The map 'mine' does not come with pbem" in output
    from gm.games.medieval.spec import SPEC

    assert (
        "peace-without-war" in run("check", path, "--results", results, "--map", SPEC.maps()["minsk"]).output
    )
    assert "--map goes with --results" in run("check", path, "--map", SPEC.maps()["minsk"], code=2).output


def test_results_of_a_game_that_began_on_an_earlier_map_ask_for_that_map(game: Path, run: Run) -> None:
    path = write_orders(game, "LIT", CLEAN)
    results = game.parent / "earlier.yaml"
    text = (game / "turns/turn-00/results/LIT.yaml").read_text(encoding="utf-8")
    results.write_text(text.replace("Zodzina", "Zhodzina"), encoding="utf-8")
    output = " ".join(run("check", path, "--results", results, code=2).output.split())
    assert "earlier.yaml does not fit the map 'minsk'" in output
    assert "name its folder with --map" in output


@pytest.mark.parametrize(
    "content", [b"\x00\x01\x02" * 50, b"\xff\xfeo\x00", b"", b"%PDF-1.4", b"GIF89a\x00\x00"]
)
def test_what_is_no_text_is_no_crash(game: Path, run: Run, content: bytes) -> None:
    odd = game.parent / "odd.yaml"
    odd.write_bytes(content)
    results = game / "turns/turn-00/results/LIT.yaml"
    assert "it cannot be accepted as it is" in run("check", odd, "--results", results, code=2).output
    good = write_orders(game, "LIT", CLEAN)
    assert "error in pbem itself" not in run("check", good, "--results", odd, code=2).output


# -- the cache of maps ---------------------------------------------------------------------------------------


def test_a_damaged_or_forbidden_cache_changes_nothing(
    game: Path, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = write_orders(game, "LIT", CLEAN)
    results = game / "turns/turn-00/results/LIT.yaml"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = run("check", path, "--results", results).output
    (kept,) = (tmp_path / "cache/gm").glob("medieval-*.json")
    assert run("check", path, "--results", results).output == first
    whole = kept.read_bytes()
    for damage in (b"", b"{", whole[: len(whole) // 2], whole.replace(b'"atlas"', b'"atlbs"')):
        kept.write_bytes(damage)
        assert run("check", path, "--results", results).output == first
        assert kept.read_bytes() == whole
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert run("check", path, "--results", results).output == first


def test_the_cached_table_is_the_map_without_its_outlines() -> None:
    from gm.games.medieval.spec import SPEC

    for name in SPEC.maps():
        table = SPEC.shipped_table(name)
        back = SPEC.unpacked_table(SPEC.packed_table(table))
        assert back.rules == table.rules
        bare = {place: location.evolve(outline=()) for place, location in table.board.locations.items()}
        assert back.board == table.board.evolve(locations=bare)
