"""What goes along with a mailed report: its data, the rolls, the handbook at the start.

Packed when it is large.
"""

import io
import zipfile

import pytest

from gm.campaign.play import played_turn
from gm.mail.compose import Writer
from gm.mail.following import _dossier
from gm.mail.outbox import Enclosure
from gm.mail.rendering import packed, turn_files
from gm.mail.settings import Enclosed, load_mail_settings
from gm.mail.submitting import with_submit_form
from tests.mail.office import NOW, Office
from tests.mail.shapes.pieces import key
from tests.medieval.reportland import data_block

FILES = {
    "results/LIT.html": b"<p>report</p>" * 50,
    "results/LIT.yaml": b"results: 1\n",
    "next/LIT.schema.json": b"{}",
    "results/dice.jsonl": b'{"label": "\xc3\xa9"}\n' * 3,
    "results/POL.html": b"not his",
    "summary.html": b"the GM's",
}


def names(files: tuple[Enclosure, ...]) -> list[str]:
    return [file.name for file in files]


def test_what_belongs_to_a_realms_turn_comes_along_byte_for_byte() -> None:
    files = turn_files("LIT", "turn-03", FILES.get, Enclosed())
    assert [(file.name, file.data) for file in files] == [
        ("LIT-turn-03.html", FILES["results/LIT.html"]),
        ("LIT-turn-03.results.yaml", FILES["results/LIT.yaml"]),
        ("turn-03.dice.jsonl", FILES["results/dice.jsonl"]),
    ]
    assert not files[-1].kind.startswith("text/")


def test_a_game_can_leave_the_rolls_out() -> None:
    assert (
        names(turn_files("LIT", "turn-03", FILES.get, Enclosed(rolls_limit=10)))[-1]
        == "LIT-turn-03.results.yaml"
    )
    assert names(turn_files("LIT", "turn-03", {}.get, Enclosed())) == []


def test_large_files_are_packed_into_one_and_the_same_bytes_each_time() -> None:
    """14.B17: one .zip, which holds every file unchanged; small ones stay as they are."""
    files = turn_files("LIT", "turn-03", FILES.get, Enclosed())
    size = sum(len(file.data) for file in files)
    assert packed("LIT-turn-03", files, Enclosed(zip_above=size)) == files
    (archived,) = packed("LIT-turn-03", files, Enclosed(zip_above=size - 1))
    assert (archived.name, archived.kind) == ("LIT-turn-03.zip", "application/zip")
    assert len(archived.data) < size
    with zipfile.ZipFile(io.BytesIO(archived.data)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            file.name: file.data for file in files
        }
    assert packed("LIT-turn-03", files, Enclosed(zip_above=0)) == (archived,)


def test_settings_of_an_earlier_version_are_read(office: Office) -> None:
    path = office.folder / "mail.yaml"
    text = path.read_text()
    assert load_mail_settings(office.folder).enclosed == Enclosed()
    assert "  zip_above: 200000 " in text
    path.write_text(
        text.replace("zip_above: 200000", "pages_limit: 1000000").replace(
            "rolls_limit: 1000000", "rolls_limit: 0"
        )
    )
    assert load_mail_settings(office.folder).enclosed == Enclosed(rolls_limit=0, pages_limit=1_000_000)


def test_the_first_letters_bring_the_handbook_and_say_what_came_along(office: Office) -> None:
    """14.B17: the start letters; nothing of another realm is in them."""
    post = office.post
    letter = Writer(post, NOW).results("LIT", played_turn(post.campaign, 0), ())
    assert names(letter.enclosures) == ["deadline-01.ics", "LIT-turn-00.zip"]
    with zipfile.ZipFile(io.BytesIO(letter.enclosures[-1].data)) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    results = office.folder / "turns/turn-00/results"
    assert list(held) == ["LIT-turn-00.html", "LIT-turn-00.results.yaml"]
    report = (results / "LIT.html").read_text("utf-8")
    sent = with_submit_form(
        report.replace(key("LIT"), "put-your-key-here").encode(), Writer(post, NOW).submit_form("LIT")
    )
    assert held["LIT-turn-00.html"] == sent
    assert key("LIT") not in data_block(sent.decode(), "gm-own")
    text = " ".join(letter.text.split())
    assert "LIT-turn-00.zip contains everything: unpack it and open LIT-turn-00.html" in text
    assert all(name in text for name in held)
    second = Writer(post, NOW).orders("LIT")
    assert second is not None
    assert names(second.enclosures) == ["LIT-turn-01.orders.yaml", "LIT.schema.json", "handbook.zip"]
    with zipfile.ZipFile(io.BytesIO(second.enclosures[-1].data)) as archive:
        assert archive.read("handbook.html") == (office.folder / "handbook.html").read_bytes()
    words = " ".join(second.text.split())
    assert "handbook.zip is for players who are new to the game: the rules, with a first turn" in words


@pytest.mark.parametrize(("size", "archive"), [(3, ""), (300_000, "LIT-dossier.zip")])
def test_a_dossier_names_its_archive_if_it_has_one(office: Office, size: int, archive: str) -> None:
    report = Enclosure("LIT-turn-01.html", "text/html", bytes(size))
    template = Enclosure("LIT-turn-02.orders.yaml", "text/plain", b"game: minsk")
    letter = Writer(office.post, NOW).dossier("LIT", [report], (template,))
    assert names(letter.enclosures) == [archive or report.name, template.name]
    assert ("unpack that first" in letter.text) is bool(archive)
    assert f"most of it is in {archive}" in letter.text or not archive


@pytest.mark.slow
def test_the_handbook_comes_in_the_language_of_the_player(office: Office) -> None:
    """16.15: with the first key, and in the dossier of a new player."""
    players = office.folder / "players.yaml"
    players.write_text(players.read_text().replace("realm: LIT,", "realm: LIT, language: de,"))
    post = office.post
    dossier = _dossier(post, "LIT", NOW)
    for letter, name in ((Writer(post, NOW).orders("LIT"), "handbook.zip"), (dossier, "LIT-dossier.zip")):
        assert letter is not None
        (packed,) = (enclosure for enclosure in letter.enclosures if enclosure.name == name)
        with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
            assert '<html lang="de">' in archive.read("handbook.html").decode()
    other = Writer(post, NOW).orders("POL")
    assert other is not None
    with zipfile.ZipFile(io.BytesIO(other.enclosures[-1].data)) as archive:
        assert '<html lang="en">' in archive.read("handbook.html").decode()


def test_who_has_nothing_to_order_at_the_start_gets_the_handbook_with_the_position(office: Office) -> None:
    """14.B17."""
    (office.folder / "turns/turn-00/next/LIT.yaml").unlink()
    (office.folder / "turns/turn-00/next/LIT.schema.json").unlink()
    post = office.post
    letter = Writer(post, NOW).results("LIT", played_turn(post.campaign, 0), ())
    with zipfile.ZipFile(io.BytesIO(letter.enclosures[-1].data)) as archive:
        assert archive.namelist()[-1] == "handbook.html"
    assert Writer(post, NOW).orders("LIT") is None
