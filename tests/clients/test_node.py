"""The example clients in another language play: a bot over its document, a client over the page."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gm.core.yaml.models import load_data
from gm.resources import resource
from gm.store.folder import GameFolder
from tests.commands import Run

pytestmark = pytest.mark.slow

CLIENTS = resource("examples", "clients")
GIVEN = ("--seed", "clients", "--key-secret", "clients", "--at", "2026-01-05 12:00")


@pytest.fixture(scope="module")
def node() -> str:
    program = shutil.which("node")
    if not program:
        pytest.skip("the clients in another language need node (Debian's nodejs)")
    return program


def test_each_client_is_short() -> None:
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in CLIENTS.glob("*.mjs")}
    assert set(lengths) == {"bot.mjs", "page.mjs"}
    assert max(lengths.values()) < 150


def test_a_bot_in_javascript_plays_ten_turns(run: Run, node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # the seat's key stands in its orders, of which the dice are made
    monkeypatch.setattr("secrets.token_hex", lambda length: "client" * length)
    run("new", "islands", "--game", "conquestination", "--set", "players=4", "--bots", "random", *GIVEN)
    run("seat", "RED", "--bot", f"program:{node} {CLIENTS / 'bot.mjs'}", "--game", "islands")
    for _ in range(10):
        assert "gave no orders" not in run("turn", "--game", "islands", "--no-html").output
    folder = GameFolder(Path("islands"))
    done = []
    for turn in range(1, 11):
        orders = (folder.turn_path(turn) / "orders" / "RED.yaml").read_text("utf-8")
        assert ("deploy:" if turn == 1 else "attacks:") in orders
        done += [
            event for event in folder.log(turn) if event["event"] == "Conquered" and event["owner"] == "RED"
        ]
    assert len(done) > 5
    assert run("verify", "--game", "islands").exit_code == 0


def test_a_page_client_in_javascript_plays_ten_turns(tmp_path: Path, node: str) -> None:
    begin = ("--game", "conquest-fields", "--play", "RED", "--bots", "greedy", "--no-browser")
    command = [sys.executable, "-u", "-m", "gm", "play", str(tmp_path / "board"), *begin]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout
        try:
            address = next(match[0] for line in server.stdout if (match := re.search(r"http://\S+", line)))
            client = [node, str(CLIENTS / "page.mjs"), address, "10"]
            played = subprocess.run(client, capture_output=True, text=True, timeout=300, check=False)
        finally:
            server.terminate()
    assert played.returncode == 0, played.stderr
    assert len(re.findall(r"(?m)^turn \d+: RED \w+-\w+$", played.stdout)) == 10, played.stdout
    state, _ = load_data(tmp_path / "board" / "turns" / "turn-10" / "state.json")
    moved = [move for move in state["history"] if move["side"] == "RED"]
    assert len(moved) == 10
    assert {move["by"] for move in moved} == {"human"}


def test_the_clients_say_what_is_wrong(node: str) -> None:
    wrong = subprocess.run([node, str(CLIENTS / "page.mjs")], capture_output=True, text=True, check=False)
    assert (wrong.returncode, "usage:" in wrong.stderr) == (2, True)
    newer = subprocess.run(
        [node, str(CLIENTS / "bot.mjs")], input='{"format": 2}', capture_output=True, text=True
    )
    assert newer.returncode == 1
    assert "this bot reads format 1" in newer.stderr
