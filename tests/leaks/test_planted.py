"""Every realm's secrets are marked, and no file or letter for anybody else holds a mark of them (W8)."""

import zlib
from base64 import b64decode
from itertools import chain

import pytest

from gm.mail.hooks import public_map
from gm.story.history import history_page
from tests.commands import command
from tests.leaks.marks import TOKEN, Secret
from tests.leaks.scene import REALMS, Scene, newest_at, planted
from tests.mail.shapes.pieces import parsed


def turn_in(name: str) -> int:
    """The turn that a file belongs to, by its name."""
    return int(name[11:13]) if name.startswith("turns/turn-") else 0


def told_in_files(scene: Scene, realm: str) -> list[str]:
    files = scene.files_for(realm)
    assert {turn_in(name) for name in files} == {0, 1, 2}
    assert b'id="history"' in files[f"turns/turn-02/results/{realm}.html"]
    return list(
        chain.from_iterable(scene.leaks(realm, name, data, turn_in(name)) for name, data in files.items())
    )


@pytest.mark.clause("W8")
def test_no_file_of_a_realm_tells_what_another_keeps_to_itself(scene: Scene) -> None:
    assert told_in_files(scene, "LIT") == []


@pytest.mark.slow
@pytest.mark.clause("W8")
@pytest.mark.parametrize("realm", REALMS)
def test_no_file_of_any_realm_tells_what_another_keeps_to_itself(scene: Scene, realm: str) -> None:
    assert told_in_files(scene, realm) == []


@pytest.mark.slow
@pytest.mark.clause("W8")
@pytest.mark.parametrize("realm", REALMS)
def test_no_letter_to_a_player_tells_what_another_keeps_to_itself(scene: Scene, realm: str) -> None:
    letters = scene.letters_for(realm)
    assert {newest_at(letter) for letter in letters} >= {1, 2}
    leaks = list(
        chain.from_iterable(scene.leaks(realm, "a letter", letter, newest_at(letter)) for letter in letters)
    )
    assert leaks == []


@pytest.mark.clause("W8")
def test_no_hook_tells_what_anybody_keeps_to_himself(scene: Scene) -> None:
    bodies = [path.read_bytes() for path in sorted((scene.folder / "mail/hooks").rglob("*.json*"))]
    events = (b'"event":"turn"', b'"event":"reminder"', b'"event":"code"')
    assert {any(event in body for event in events) for body in bodies[:-1]} == {True}
    assert len(bodies) > 4
    leaks = list(
        chain.from_iterable(
            scene.leaks("", "it", data, 2) for data in (*bodies, public_map(scene.campaign).encode())
        )
    )
    assert leaks == []


@pytest.mark.slow
def test_letters_of_every_kind_were_looked_at(scene: Scene) -> None:
    letters = list(map(parsed, chain.from_iterable(scene.letters_for(realm) for realm in REALMS)))
    subjects = sorted(str(letter["Subject"]) for letter in letters)
    for words in (
        "begins",
        "Orders received",
        "No orders accepted",
        "are missing",
        "1 has been played",
        "2 has been played",
        "You play",
        "Lithuania writes",
        "Somebody writes",
        "Your letter was passed on",
    ):
        assert any(words in subject for subject in subjects), (words, subjects)
    parts = chain.from_iterable(letter.walk() for letter in letters)
    types = {part.get_content_type() for part in parts}
    assert "text/calendar" in types, types


@pytest.mark.slow
def test_the_secrets_are_found_where_they_belong(scene: Scene) -> None:
    """The search finds what it looks for: in the files of whom it belongs to, nearly all of it."""
    for realm in ("LIT", "POL", "TEU"):  # the orders of a player who was replaced are told to nobody
        own = scene.marks.of(realm)
        mine = (*scene.files_for(realm).values(), *scene.letters_for(realm))
        words = set(chain.from_iterable(scene.search.found(data) for data in mine))
        orders = {
            word for word, secret in own.items() if secret.what.startswith("the order ") and secret.turn < 3
        }
        assert len(orders & words) > len(orders) // 4
        assert {word for word, secret in own.items() if secret.what == "its treasury"} <= words


@pytest.mark.slow
def test_an_archive_without_keys_has_no_keys_letters_or_orders_to_come(scene: Scene) -> None:
    """What is past may be in it: who is to look into the game sees the orders that were carried out."""
    secrets = {scene.marks.secrets[word] for word in scene.search.found(scene.export)}
    assert [
        secret for secret in secrets if secret.turn == 3 and not secret.what.startswith("its treasury")
    ] == []
    letters = (
        "the subject",
        "the text",
        "the id",
        "how he",
        "the name of a file",
        "the press",
        "the secret",
        "the seed",
        "the token",
        "its reply",
        "its player's address",  # 14.A5
    )
    assert [secret for secret in secrets if secret.what.startswith(letters)] == []


def test_what_a_player_checks_himself_tells_him_nothing_of_others(scene: Scene) -> None:
    """``pbem verify`` and ``pbem check`` at home, with nothing but his own files."""
    turns = scene.folder / "turns"
    own = [turns / f"turn-0{turn}" / "results/LIT.yaml" for turn in (2, 1)]
    more = ("--orders", turns / "turn-02/orders/LIT.yaml", "--rolls", own[0].with_name("dice.jsonl"))
    said = command("verify", "--results", own[0], "--before", own[1], *more).output
    said += command("check", turns / "turn-02/next/LIT.yaml", "--results", own[0]).output
    assert len(said) > 300
    assert scene.leaks("LIT", "the terminal", said.encode(), 2) == []


def test_every_mark_was_planted(scene: Scene) -> None:
    """A mark that is nowhere proves nothing."""
    everything = b"\n".join(planted(scene).values())
    made = ("its key", "its reply token", "its treasury", "the secret", "its lasting")
    replaced = Secret("NOV", "its player's name", 1)
    secrets = {
        word: secret
        for word, secret in scene.marks.secrets.items()
        if not secret.what.startswith(made) and secret != replaced
    }
    there = {word.decode() for word in TOKEN.findall(everything)}
    rest = secrets.keys() - there
    assert [secrets[word] for word in rest if word.encode() not in everything] == []


def with_what_is_packed(page: bytes) -> bytes:
    """A history with its drawings, which may be too few to be looked into as they are packed."""
    return page + zlib.decompress(b64decode(page.partition(b'id="steps-packed">"')[2].partition(b'"')[0]))


@pytest.mark.clause("W8")
@pytest.mark.slow
def test_the_history_tells_everybody_nothing_and_a_realm_only_its_own(scene: Scene) -> None:
    page = with_what_is_packed(history_page(scene.campaign))
    assert [
        scene.marks.secrets[word] for word in scene.search.found(page) & scene.marks.of_others("", 2).keys()
    ] == []
    for seat in scene.campaign.seats:
        own = with_what_is_packed(history_page(scene.campaign, party=seat.code))
        assert scene.leaks(seat.code, f"{seat.code}'s history", own, 2) == []
        assert own != page
