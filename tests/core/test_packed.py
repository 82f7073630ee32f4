"""A played turn in one file: it reads as its folder does, any zip program opens it, and nothing in it does
harm.
"""

import io
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.store import BrokenFolderError
from gm.store import packed as packed_module
from gm.store.disk import build_folder
from gm.store.packed import PAGES, PackedPath, PackedTurn, packed_bytes
from gm.store.places import UnpackableError
from gm.store.turns import PlayedPath, Turns
from tests.packing import FILES, PAGE, QUESTIONS

FILE = Path("turn-03.zip")


def of_seats(count: int) -> dict[str, bytes]:
    return {**FILES, **{f"results/R{number}.html": PAGE + b"%d" % number for number in range(count)}}


# -- what is packed reads as it was --------------------------------------------------------------------------


def test_a_packed_turn_reads_as_it_was_and_the_same_turn_is_the_same_bytes() -> None:
    data = packed_bytes(FILES)
    assert PackedTurn(FILE, data).files() == FILES
    assert packed_bytes(dict(reversed(FILES.items()))) == data


def test_any_program_for_zip_archives_opens_it(tmp_path: Path) -> None:
    file = tmp_path / "turn-03.zip"
    file.write_bytes(packed_bytes(FILES))
    shutil.unpack_archive(file, tmp_path / "out")
    plain = {
        path.relative_to(tmp_path / "out").as_posix()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    assert plain == {
        name for name in FILES if not name.endswith(".html") and not name.startswith("next/")
    } | {PAGES}
    whole = zstandard.ZstdDecompressor().decompress((tmp_path / "out" / PAGES).read_bytes())
    (tmp_path / "inner.tar").write_bytes(whole)
    shutil.unpack_archive(tmp_path / "inner.tar", tmp_path / "out", filter="data")
    assert {name: (tmp_path / "out" / name).read_bytes() for name in FILES} == FILES


def test_pages_that_are_alike_take_little_more_room_than_one() -> None:
    one = len(packed_bytes(of_seats(0)))
    many = len(packed_bytes(of_seats(40)))
    assert many - one < one / 2
    assert many * 20 < sum(map(len, of_seats(40).values()))


def test_a_page_of_more_than_a_megabyte_is_found_again() -> None:
    noise = os.urandom(1_100_000)
    packed = packed_bytes({f"results/{code}.html": noise + code.encode() for code in ("LIT", "NOV")})
    assert len(packed) < 1.1 * len(noise)


NAMES = st.sampled_from(
    [
        *(
            "state.json",
            "log.jsonl",
            "orders/A.yaml",
            "results/A.html",
            "results/B.html",
            "results/battles/1.html",
        ),
        *(
            "results/dice.jsonl",
            "results/A.yaml",
            "next/Ä.yaml",
            "letters/A.yaml",
            "results/" + 60 * "x" + "/" + 90 * "y",
        ),
    ]
)


LARGE = (PAGE, PAGE + b"!", bytes(5000))


@settings(deadline=None)
@given(drawn=st.dictionaries(NAMES, st.binary(max_size=600) | st.integers(0, 2)))
def test_any_files_read_back_in_every_way(drawn: dict[str, bytes | int]) -> None:
    files = {name: LARGE[data] if isinstance(data, int) else data for name, data in drawn.items()}
    turn = PackedTurn(FILE, packed_bytes(files))
    assert turn.files() == files
    assert turn.names() == sorted(files)
    for name in ("state.json", "results/A.html", "results/none.html", "none"):
        assert (name in turn) == (name in files)
    assert {str(path.relative_to(PackedPath(turn))) for path in PackedPath(turn).rglob("*")} == set(files)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("../out.json", b""),
        ("/etc/passwd", b""),
        ("a\\b", b""),
        ("results/../../out", b""),
        ("next/" + 300 * "x", b""),
        (PAGES, b"somebody's own"),
        ("results/\udcff.html", b""),
    ],
)
def test_what_would_not_read_back_is_not_packed(name: str, data: bytes) -> None:
    with pytest.raises(UnpackableError):
        packed_bytes({**FILES, name: data})


# -- a path in it is asked as any path -----------------------------------------------------------------------


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_packed_turn_answers_as_its_folder_does(question: str, tmp_path: Path) -> None:
    build_folder(tmp_path / "turn-03", FILES)
    turn = PackedPath(PackedTurn(tmp_path / "turn-03.zip", packed_bytes(FILES)))
    assert QUESTIONS[question](turn) == QUESTIONS[question](tmp_path / "turn-03")
    assert str(turn / "results" / "LIT.html") == str(tmp_path / "turn-03.zip" / "results/LIT.html")


def test_a_missing_file_is_missing_there_too() -> None:
    turn = PackedPath(PackedTurn(FILE, packed_bytes(FILES)))
    for name in ("press.json", "results/NOV.yaml", "results", "next/NOV.yaml"):
        with pytest.raises(FileNotFoundError):
            (turn / name).read_bytes()


def test_to_look_for_a_small_file_unpacks_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = PackedTurn(FILE, packed_bytes(FILES))
    assert turn.names("results/", "*.yaml") == ["results/LIT.yaml", "results/battles/1.yaml"]
    monkeypatch.setattr(zstandard, "ZstdDecompressor", None)
    assert "results/LIT.yaml" in turn  # kept as it was read
    assert turn.read("turn.json") == FILES["turn.json"]
    assert "press.json" not in turn
    assert turn.names("orders/") == ["orders/LIT.yaml", "orders/rejected/unknown-1.yaml"]
    with pytest.raises(BrokenFolderError, match="not callable"):
        turn.read("results/LIT.html")


# -- what a stranger may have made ---------------------------------------------------------------------------


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return target.getvalue()


def tarred(files: Mapping[str, bytes], **entry: object) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            for key, value in entry.items():
                setattr(member, key, value)
            archive.addfile(member, io.BytesIO(data))
    return target.getvalue()


def zst(data: bytes, **more: Any) -> bytes:
    return zstandard.ZstdCompressor(level=1, **more).compress(data)


def header(size: bytes) -> bytes:
    """A block that tells of a file with such a size, and its right sum."""
    block = bytearray(tarfile.TarInfo("results/A.html").tobuf(tarfile.USTAR_FORMAT))
    block[124:136] = size
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def with_inner(data: bytes) -> bytes:
    return zipped({"state.json": b"{}", PAGES: data}, zipfile.ZIP_STORED)


def twice(name: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(name, b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr(name, b"2")
    return target.getvalue()


def bomb() -> bytes:
    return zst(bytes(packed_module.FLOOR + 2_000_000))


def boasting() -> bytes:
    """An archive that begins as one of many more bytes than are in it."""
    squeezed = bytearray(zst(bytes(100_000)))
    size = squeezed.index((100_000).to_bytes(4, "little"))
    squeezed[size : size + 4] = (packed_module.FLOOR - 1).to_bytes(4, "little")
    return bytes(squeezed)


GOOD = packed_bytes(FILES)
HOSTILE: dict[str, Callable[[], bytes]] = {
    "no archive": lambda: b"PK" + bytes(100),
    "empty": lambda: b"",
    "cut short": lambda: GOOD[:-200],
    "one byte is another": lambda: GOOD[: len(GOOD) // 2] + b"\xff\0\xff" + GOOD[len(GOOD) // 2 + 3 :],
    "a name above": lambda: zipped({"../../game.yaml": b"id: mine"}),
    "a name from the top": lambda: zipped({"/tmp/x": b""}),  # noqa: S108 - nothing is written there
    "a name of Windows": lambda: zipped({"C:\\x": b""}),
    "a name twice": lambda: twice("state.json"),
    "a page of its own": lambda: zipped({"results/A.html": b""}),
    "another method": lambda: zipped({"state.json": b"{}"}, zipfile.ZIP_LZMA),
    "many zeros": lambda: zipped({"log.jsonl": bytes(packed_module.FLOOR + 30_000_000)}),
    "a long directory": lambda: zipped({f"orders/{number:0250}": b"" for number in range(4000)}),
    "inside, no archive": lambda: with_inner(b"x"),
    "inside, cut short": lambda: with_inner(zst(tarred({"results/A.html": b"x"}))[:-20]),
    "inside, more after it": lambda: with_inner(zst(tarred({"results/A.html": b"x"})) + b"more"),
    "inside, many zeros": lambda: with_inner(bomb()),
    "inside, less than it says": lambda: with_inner(boasting()),
    "inside, of no size": lambda: with_inner(zst(tarred({"results/A.html": b"x"}), write_content_size=False)),
    "inside, two": lambda: with_inner(2 * zst(tarred({"results/A.html": b"x"}))),
    "inside, a name above": lambda: with_inner(zst(tarred({"results/../../x": b""}))),
    "inside, a name elsewhere": lambda: with_inner(zst(tarred({"state.json": b"mine"}))),
    "inside, results among pages": lambda: with_inner(zst(tarred({"results/A.yaml": b""}))),
    "inside, a name twice": lambda: with_inner(zst(2 * tarred({"results/A": b""})[:512] + bytes(1024))),
    "inside, a link": lambda: with_inner(
        zst(tarred({"results/A": b""}, type=tarfile.SYMTYPE, linkname="/etc/passwd"))
    ),
    "inside, a device": lambda: with_inner(zst(tarred({"results/A": b""}, type=tarfile.CHRTYPE))),
    "inside, with holes": lambda: with_inner(zst(tarred({"results/A": b""}, type=tarfile.GNUTYPE_SPARSE))),
    "inside, too large": lambda: with_inner(zst(header(b"77777777777\0"))),
    "inside, a size below zero": lambda: with_inner(zst(header(b"\xff" * 11 + b"\0"))),
    "inside, half a block": lambda: with_inner(zst(header(b"00000000001\0")[:300])),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_by_name(name: str, tmp_path: Path) -> None:
    turns = Turns(tmp_path / "turns")
    turns.path.mkdir()
    turns.file(3).write_bytes(HOSTILE[name]())
    with pytest.raises(BrokenFolderError, match=r"turn-03\.zip is damaged"):
        turns.unpack(3)
    assert [path.name for path in tmp_path.rglob("*")] == ["turns", "turn-03.zip"]


def test_a_file_larger_than_any_turn_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_module, "FILE_LIMIT", len(GOOD) - 1)
    turns = Turns(tmp_path)
    turns.file(3).write_bytes(GOOD)
    with pytest.raises(BrokenFolderError, match="larger than any packed turn"):
        (PlayedPath(turns, 3) / "state.json").is_file()


@settings(deadline=None)
@given(at=st.integers(0, len(GOOD) - 1), byte=st.binary(min_size=1, max_size=4))
def test_a_changed_file_is_refused_or_reads_as_before(at: int, byte: bytes) -> None:
    changed = GOOD[:at] + byte + GOOD[at + len(byte) :]
    try:
        files = PackedTurn(FILE, changed).files()
    except BrokenFolderError:
        return
    assert all(PurePosixPath(name).parts for name in files)
    assert set(files.values()) <= set(FILES.values())
