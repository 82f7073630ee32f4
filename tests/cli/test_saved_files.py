"""Order files as people save and pack them: what lies on the disk is read as what comes by post."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gm.campaign.unpacking import offered_file, unpacked_text
from gm.mail.letter import read_letter
from tests.cli.conftest import Run, write_orders
from tests.mail.office import mixed
from tests.mail.shapes.pieces import attached, zipped

EARLY = "2026-01-09 19:59"
ORDERS = "headquarters:\n  proclamation: Vytautas, duke of Lithuania – à bientôt\n"
SAVED: dict[str, Callable[[str], bytes]] = {
    "utf-16.txt": lambda text: text.encode("utf-16"),
    "unmarked.txt": lambda text: text.encode("utf-16-le"),
    "windows.yaml": lambda text: text.encode("cp1252"),
    "marked.yaml": lambda text: text.encode("utf-8-sig"),
    "packed.zip": lambda text: zipped({"POL.yaml": text, "__MACOSX/._POL.yaml": "x"}),
    "packed-wide.zip": lambda text: zipped({"my orders.txt": text.encode("utf-16")}),
    "signed.asc": lambda text: (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{text}-----BEGIN PGP SIGNATURE-----\n\nx\n"
    ).encode(),
}
USELESS = {
    "orders.docx": (zipped({"word/document.xml": "x"}), "a document of a word processor"),
    "orders.pdf": (b"%PDF-1.7\n", "a document of a word processor"),
    "orders.tar.gz": (b"\x1f\x8b\x08\0", "an archive of a kind that pbem cannot open"),
    "two.zip": (zipped({"a.yaml": "x: 1", "b.yaml": "x: 2"}), "holds several files"),
    "nested.zip": (zipped({"inner.zip": zipped({"a.yaml": "x"})}), "holds another archive"),
    "broken.zip": (zipped({"a.yaml": "x: 1"})[:-30], "is empty or cannot be opened"),
    "bomb.zip": (zipped({"a.yaml": "x: 1\n" * 400_000}), "far larger than any order file"),
    "secret.asc": (b"-----BEGIN PGP MESSAGE-----\n\nabc\n", "is encrypted"),
    "winmail.dat": (b"\x78\x9f\x3e\x22abc", "only Outlook can open"),
}


def test_a_file_is_received_however_it_was_saved_or_packed(game: Path, run: Run) -> None:
    """Item 17: ``receive`` and ``check`` take what the post takes, and keep it as the post keeps it."""
    plain = write_orders(game, "LIT", ORDERS)
    text = plain.read_text("utf-8")
    stored = game / "inbox/turn-01/LIT.yaml"
    for name, save in SAVED.items():
        path = plain.with_name(name)
        path.write_bytes(save(text))
        checked = json.loads(run("check", path, "--json").output)
        assert (checked["realm"], checked["errors"]) == ("LIT", 0), name
        assert "accepted" in run("receive", path, "--at", EARLY).output, name
        kept = stored.read_bytes()
        assert kept.decode("utf-8-sig").rstrip() == text.rstrip(), name
        (by_post,) = read_letter(mixed(attached(name, save(text), "application/octet-stream"))).files
        assert by_post.data == kept, name
        stored.unlink()


def test_a_file_that_is_no_text_is_set_aside_with_what_to_do(game: Path, run: Run) -> None:
    """Item 17: of what no orders can be read from, it is said what it is.

    ``check`` and ``why --if`` say the same.
    """
    folder = write_orders(game, "LIT", ORDERS).parent
    for name, (data, advice) in USELESS.items():
        path = folder / name
        path.write_bytes(data)
        for command in (["receive", path, "--at", EARLY], ["check", path]):
            result = run(*command, code=1 if command[0] == "receive" else 2)
            assert advice in " ".join(result.output.split()), (name, command[0])
            assert "error[source/no-text]" in result.output
    assert len(list((game / "inbox/turn-01/rejected").glob("*.txt"))) == len(USELESS)


@pytest.mark.parametrize("name", ["file.yaml", "file.zip"])
def test_what_a_file_is_called_in_messages(tmp_path: Path, name: str) -> None:
    """Item 17: a file in an archive is called by both names."""
    path = tmp_path / name
    data = b"orders: 1\n"
    path.write_bytes(zipped({"folder/POL.yaml": data}) if name.endswith(".zip") else data)
    assert offered_file(path).name == {"file.yaml": "file.yaml", "file.zip": "file.zip/POL.yaml"}[name]
    assert offered_file(path).data == data


def test_a_signed_file_in_an_archive_is_read_and_one_that_is_too_long_is_not_kept_whole() -> None:
    """Item 17: an archive's file is read as one that came without it, and never more than the limit of it."""
    signed = zipped({"a.yaml": SAVED["signed.asc"]("orders: 1\n")})
    offer = unpacked_text("a.zip", signed)
    assert not isinstance(offer, str)
    assert offer.data == b"orders: 1"
    long = unpacked_text("a.yaml", b"x" * 500, limit=100)
    assert not isinstance(long, str)
    assert len(long.data) == 101
