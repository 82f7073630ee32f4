"""Games won by talking: a player who orders nothing but letters, among bots that would have his land.

What bots write is kept, told and proven like all else.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import pytest

from gm.core.orders.press import Note
from gm.game.bots import ask, bot_view
from gm.game.talk import Dealing, Talk, TalkLetter
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state.world import World
from gm.text.layout import read_data
from tests.commands import command

ME = "LIT"
ENEMY = "POL"
FRIEND = "TEU"
OTHERS = ("NOV", "POL", "TEU")
AT = ("--at", "2026-01-05 12:00")


def asks(turn: int, *, peace: int) -> dict[str, str]:
    """The letters that Lithuania writes in a turn.

    ``peace``: the turn in which its enemy made it, 0: not yet.
    """
    if peace and turn == peace + 1:
        return {ENEMY: "peace?"}
    return {ENEMY: "peace?", FRIEND: f"alliance against {ENEMY}?"} if turn in (2, 5) and not peace else {}


def words(turn: int, *, peace: int, war: bool, allied: bool) -> dict[str, list[str]]:
    """What it orders: a war at first, then what was agreed to; the turn after the peace it breaks it."""
    if turn == 1 or (peace and turn == peace + 1):
        return {"declare_war": [ENEMY]}
    offers = {"offer_peace": [ENEMY]} if war and not peace else {}
    return offers if allied else {**offers, "offer_alliance": [FRIEND]}


def own_file(state: World, turn: int, peace: int) -> str:
    """Return Lithuania's order file of a turn; ``peace``: the turn in which peace was made, or 0."""
    fields = {"war": state.at_war(ME, ENEMY), "allied": state.allied(ME, FRIEND)}
    said = "".join(f"  {word}: {names}\n" for word, names in words(turn, peace=peace, **fields).items())
    return f"orders: 1\ngame: g\nrealm: {ME}\nturn: {turn}\nkey: k\n" + (
        f"headquarters:\n{said}" if said else ""
    )


def course(turns: int) -> Iterator[tuple[tuple[Dealing, ...], Mapping[str, str]]]:
    """What happened in each turn of a game on Minsk, and what bots wrote to Lithuania with it."""
    table = SPEC.shipped_table("minsk")
    folder = SPEC.maps()["minsk"]
    state = SPEC.start(table, folder, None)
    recall = SPEC.recall
    peace = 0
    talk = Talk(readers={ME: ""})
    assert recall is not None
    for turn in range(1, turns + 1):
        game = {"game": "g", "key": "k"}
        mine = own_file(state, turn, peace)
        readings = {ME: SPEC.read_orders(table, state, mine.encode(), "x", realm=ME, **game)}
        for code in OTHERS:
            view = bot_view(SPEC, table, state, code, seed=f"d {turn} {code}", talk=talk, **game)
            answer = ask(SPEC, SPEC.bots["conqueror"], view)
            assert answer.reading is not None, answer.trouble
            assert answer.reading.errors == 0
            readings[code] = answer.reading
        outcome = SPEC.play(
            table, state, {code: reading.sheet for code, reading in readings.items()}, f"d {turn}"
        )
        state = outcome.state
        dealings = recall.dealings(turn, outcome.events)
        notes = {ME: [Note((code,), "", text) for code, text in asks(turn, peace=peace).items()]}
        notes |= {code: list(readings[code].press) for code in OTHERS}
        letters = [
            TalkLetter(turn, code, note.to, note.text) for code, those in notes.items() for note in those
        ]
        talk = talk.evolve(dealings=(*talk.dealings, *dealings), letters=(*talk.letters, *letters))
        if any(
            dealing.what == "peace" and {dealing.realm, dealing.other} == {ME, ENEMY} for dealing in dealings
        ):
            peace = turn
        yield dealings, {letter.author: letter.text for letter in letters if ME in letter.to}


@pytest.mark.clause("L15", "L17", "F1")
def test_words_alone_win_an_ally_and_a_peace_and_a_broken_word_is_recalled() -> None:
    dealings, letters = zip(*course(11), strict=True)
    all_dealings = chain.from_iterable(dealings)
    done = {(dealing.what, dealing.realm, dealing.other): dealing.turn for dealing in all_dealings}
    assert letters[2][FRIEND].startswith(f"accept: alliance against {ENEMY}.")
    assert done["war", FRIEND, ENEMY] == 3, "the ally keeps his word"
    assert done["alliance", *sorted((ME, FRIEND))] == 3
    assert letters[2][ENEMY].startswith("refuse: peace. This war pays for us.")
    accepted = next(
        turn
        for turn, by_author in enumerate(letters, 1)
        if by_author.get(ENEMY, "").startswith("accept: peace.")
    )
    peace = done["peace", *sorted((ME, ENEMY))]
    assert accepted <= peace <= 9
    assert f"refuse: peace. You broke your word in turn {peace + 1}." in letters[peace + 1][ENEMY]
    all_dealings = chain.from_iterable(dealings[peace:])
    later = {(dealing.what, dealing.realm, dealing.other) for dealing in all_dealings}
    assert ("peace", ME, ENEMY) not in later


def begun(folder: Path, *seats: str) -> Path:
    """Begin a game of Minsk in which Lithuania may write signed letters, and return its folder."""
    game = folder / "game"
    command("new", game, "--map", "minsk", "--play", ME, *seats, "--press", "signed", *AT)
    return game


@pytest.mark.slow
def test_what_a_bot_answers_is_a_letter_like_any_other_and_is_proven(tmp_path: Path) -> None:
    game = begun(tmp_path, "--bots", "conqueror", "--seed", "x")
    for turn, text in ((1, "alliance?\n<b>peas</b>?"), (2, "")):
        template = (game / f"turns/turn-{turn - 1:02}/next/{ME}.yaml").read_text()
        head = re.findall(r"(?m)^(?:orders|game|realm|turn|key):.*$", template)
        press = [f"press: [{{to: [POL, TEU], text: {text!r}}}]".replace("'", '"')] if text else []
        (tmp_path / "LIT.yaml").write_text("\n".join([*head, *press, ""]))
        command("receive", "--game", game, tmp_path / "LIT.yaml", *AT)
        command("turn", "--game", game, "--no-html", *AT)
    letters = read_data((game / f"turns/turn-02/letters/{ME}.yaml").read_bytes(), "letters")["press"]
    assert {letter["author"]: letter["to"] for letter in letters} == {"POL": ME, "TEU": ME}
    assert all(re.fullmatch(r"(accept|refuse): alliance\. [^<]+", letter["text"]) for letter in letters)
    assert "Proven: 2 turns came out the same." in command("verify", "--replay", "--game", game).output


@pytest.mark.slow
def test_a_bot_that_takes_over_reads_no_letter_to_the_player_before_it(tmp_path: Path) -> None:
    game = begun(tmp_path, "--play", FRIEND, "--bots", "builder")
    template = (game / f"turns/turn-00/next/{ME}.yaml").read_text()
    (tmp_path / "LIT.yaml").write_text(template + f"\npress: [{{to: [{FRIEND}, NOV], text: alliance}}]\n")
    command("receive", "--game", game, tmp_path / "LIT.yaml", *AT)
    command("turn", "--game", game, "--no-html", "--missing-ok", *AT)
    command("seat", FRIEND, "--bot", "builder", "--game", game)
    command("turn", "--game", game, "--no-html", "--missing-ok", *AT)
    letters = read_data((game / f"turns/turn-02/letters/{ME}.yaml").read_bytes(), "letters")["press"]
    assert [letter["author"] for letter in letters] == ["NOV"]
