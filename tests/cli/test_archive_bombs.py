"""``pbem import`` of archives that are far larger than they look, and of those that are as large as they
look.
"""

import copy
import random
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest

from gm.store.archive import pack
from gm.store.disk import build_folder
from gm.store.inbox import fingerprint
from gm.store.unpacking import DIRECTORY_LIMIT, BrokenArchiveError, unpacked
from tests.cli.conftest import Run
from tests.cost import cost
from tests.mail.shapes.pieces import zipped

MEGA = 1_000_000
LISTED = '{"schema": 1, "keys": true, "turn": 0, "files": {}}'


@contextmanager
def in_little_memory(megabytes: float = 4) -> Iterator[None]:
    """Fail when what is done in here takes more memory than that at any moment."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes * MEGA
    finally:
        tracemalloc.stop()


def zeros(megabytes: int) -> bytes:
    """So many million zeros as zip archives pack them: the same block again and again."""
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packing.compress(bytes(MEGA)) + packing.flush(zlib.Z_FULL_FLUSH)
    return block * megabytes + packing.flush()


def written(contents: dict[str, tuple[bytes, int]]) -> bytes:
    """An archive of packed contents, each with the size that the directory tells."""
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("game.yaml", "id: bomb")
        for name, (packed, size) in contents.items():
            archive.writestr(name, packed)
            entry = archive.getinfo(name)
            entry.file_size = size
            entry.compress_type = zipfile.ZIP_DEFLATED
    data = bytearray(whole.getvalue())
    for entry in archive.infolist()[1:]:
        # the head before the content says the same as the directory
        struct.pack_into("<H", data, entry.header_offset + 8, zipfile.ZIP_DEFLATED)
        struct.pack_into("<L", data, entry.header_offset + 22, entry.file_size)
    return bytes(data)


def sharing(times: int) -> bytes:
    """An archive whose files are all the same bytes in it."""
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("0.txt", random.Random("bytes").randbytes(100_000))  # noqa: S311 - no secret
        for number in range(1, times):
            again = copy.copy(archive.filelist[0])
            again.filename = f"{number}.txt"
            archive.filelist.append(again)
    return whole.getvalue()


def endless_directory() -> bytes:
    """An archive of which nearly all is the list of what is in it."""
    size = DIRECTORY_LIMIT + 1
    return bytes(size) + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, size, 0, 0)


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "one file": (
        lambda: written({"map.yaml": (zeros(600), 600 * MEGA)}),
        "'map.yaml' in the archive would have 600 MB",
    ),
    "the list": (
        lambda: written({"archive.json": (zeros(600), 600 * MEGA)}),
        "'archive.json' in the archive would",
    ),
    "a size that lies": (
        lambda: written({"map.yaml": (zeros(600), 1000)}),
        "it is damaged|has changed since",
    ),
    "a list that is long": (
        lambda: zipped({"archive.json": LISTED + " " * 900_000}),
        "too long for so few files",
    ),
    "many files": (
        lambda: written({f"{number}.txt": (zeros(1), MEGA) for number in range(300)}),
        "All that is in the archive would have 300 MB",
    ),
    "the same bytes": (lambda: sharing(100), "share their bytes"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_at_once_and_in_little_memory(name: str) -> None:
    """item 31: 600 MB of zeros took 1.2 GB of memory."""
    make, says = BOMBS[name]
    file = BytesIO(make())

    def refused() -> None:
        with in_little_memory(), pytest.raises(BrokenArchiveError, match=says), unpacked(file):
            pass

    assert cost(refused, 0.5) < 0.5


def test_a_directory_without_end_is_not_read() -> None:
    """item 31: an archive may be a list of names and nothing else."""
    file = BytesIO(endless_directory())
    refused = pytest.raises(BrokenArchiveError, match="lists more files")
    with in_little_memory(2 * DIRECTORY_LIMIT / MEGA), refused, unpacked(file):
        pass


def test_import_leaves_nothing_of_a_bomb(tmp_path: Path, run: Run) -> None:
    """item 31: the command refuses it as any damaged archive."""
    (tmp_path / "a.zip").write_bytes(BOMBS["one file"][0]())
    said = run("import", tmp_path / "a.zip", tmp_path / "copy", code=2).output
    assert "nothing is unpacked" in said
    assert {path.name for path in tmp_path.iterdir()} & {"copy", ".copy.building"} == set()


@pytest.mark.slow
def test_a_large_game_is_taken_out_in_little_memory(tmp_path: Path) -> None:
    """item 31: what is as large as it looks is no bomb."""
    page = random.Random("page").randbytes(4 * MEGA).hex().encode()  # noqa: S311 - no secret
    names = [f"turns/turn-{number:02}/results/all.html" for number in range(4)]
    for name in names:
        (tmp_path / "game" / name).parent.mkdir(parents=True)
        (tmp_path / "game" / name).write_bytes(page)
    (tmp_path / "a.zip").write_bytes(pack(tmp_path / "game", 3)[0])
    mark = fingerprint(page)
    del page
    with in_little_memory(), (tmp_path / "a.zip").open("rb") as file, unpacked(file) as (files, keys):
        build_folder(tmp_path / "copy", files)
    assert (sorted(files), keys) == (names, True)
    assert [fingerprint((tmp_path / "copy" / name).read_bytes()) for name in names] == [mark] * 4


@pytest.mark.slow
def test_no_player_makes_a_game_that_cannot_be_imported(played: Path, run: Run) -> None:
    """item 31: blanks without end that somebody sends are no reason to refuse what was exported."""
    for number in range(40):
        path = played / "inbox" / f"blanks-{number}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b" " * MEGA)
    run("export", "--out", "../blanks.zip")
    run("import", "../blanks.zip", "../copy")
    assert Path("../copy/inbox/blanks-39.yaml").stat().st_size == MEGA
