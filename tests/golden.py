"""What is expected, as a whole text in a file of its own, or as a line of ``hashes.txt`` beside it: a text
that shows nothing that others do not show is held byte by byte too, but nobody has to read it.
"""

import fcntl
from hashlib import sha256
from pathlib import Path

HASHES = "hashes.txt"
"""A line for each text, as ``sha256sum`` writes it: its hash, two spaces and its name."""


def known_hashes(folder: Path) -> dict[str, str]:
    """Return the hashes of a folder's texts by their names."""
    path = folder / HASHES
    if not path.is_file():
        return {}
    lines = (line.split("  ", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return {name: digest for digest, name in lines}


def compare_golden(path: Path, text: str, *, update: bool = False, whole: str = "") -> None:
    """Raise ``AssertionError`` if a text is not what is expected at this path.

    ``update`` makes it what is expected; ``whole`` names a folder in which the text is left.
    """
    data = text.encode()
    if whole:
        Path(whole).mkdir(parents=True, exist_ok=True)
        (Path(whole) / path.name).write_bytes(data)
    if not path.exists() and path.name in known_hashes(path.parent):
        _compare_hash(path, data, update=update)
        return
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert path.exists(), f"{path.name} is missing: run with --update-golden and review it"
    assert path.read_bytes().decode() == text


def _compare_hash(path: Path, data: bytes, *, update: bool) -> None:
    digest = sha256(data).hexdigest()
    if update:
        _write_hash(path, digest)
    assert known_hashes(path.parent)[path.name] == digest, (
        f"{path.name} is another text than before. Only its hash is kept, in "
        f"{path.parent.name}/{HASHES}. To see what is different: run this test with --golden-texts "
        "FOLDER here and, with another folder, in a checkout of the commit before the change; compare "
        "the folders with 'diff -r'. If it is right, run with --update-golden."
    )


def _write_hash(path: Path, digest: str) -> None:
    """Change one line; other workers change others at the same time."""
    with (path.parent / HASHES).open("r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        lines = file.read().splitlines()
        changed = [f"{digest}  {path.name}" if line.endswith(f"  {path.name}") else line for line in lines]
        file.seek(0)
        file.write("\n".join(changed) + "\n")
        file.truncate()
