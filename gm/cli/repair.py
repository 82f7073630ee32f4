"""``gm repair``: damaged journals made whole again, as far as they can be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gm.cli.failures import REFUSED
from gm.cli.shared import acting, game_option, json_option, print_json, shown_path

if TYPE_CHECKING:
    from gm.store.folder import GameFolder
    from gm.store.repair import RepairedJournal

DAMAGED = "damaged"
"""The folder of a game in which the damaged journals are kept."""


@click.command(short_help="Mend damaged journals.")
@click.option("--dry-run", is_flag=True, help="Say what is wrong, and write nothing.")
@game_option
@json_option
def command(dry_run: bool, game_folder: Path | None, as_json: bool) -> None:
    """Mend the journals of a game: journal.jsonl, and those of its post.

    What can be read is kept, what stands twice goes, lines in a wrong order are put right, and the chain is made anew
    from the first damage on. What is lost is said, and noted in the journal: 'gm verify' tells it from then on. The
    damaged file is kept under damaged/. Turns, orders and settings are not touched: put those back from a copy.

    \b
    Examples:
      gm repair --dry-run
      gm repair

    Exit code 1 when something is lost.
    """
    from gm.store.folder import GameFolder
    from gm.store.lock import locked

    folder = GameFolder.find(game_folder or Path.cwd())
    with locked(folder.path):
        done = {name: lost for name, lost in _repaired(folder, dry_run=dry_run) if lost}
    if as_json:
        print_json({"repaired": not dry_run, "lost": done})
    for name, lost in done.items() if not as_json else ():
        click.secho(f"{name}: {'damaged' if dry_run else 'mended'}.", fg="yellow")
        for each in lost:
            click.echo(f"  {each}")
    if not as_json:
        _say_where(folder, bool(done), dry_run)
    if done:
        click.get_current_context().exit(REFUSED)


def _say_where(folder: GameFolder, damaged: bool, dry_run: bool) -> None:
    if not damaged:
        click.echo("The journals are whole: there is nothing to mend.")
    elif not dry_run:
        click.echo(f"What was damaged is kept in {shown_path(folder.path / DAMAGED)}, and the journal tells of it.")


def _repaired(folder: GameFolder, *, dry_run: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Mend each journal: its name, and what is lost of it. The GM's own comes first: the others' losses go into it."""
    from gm.campaign.history import POST, History
    from gm.store.change import rebased
    from gm.store.journal import ACTIONS_FILE, Journal, last_chain
    from gm.store.repair import repaired

    path = folder.path / ACTIONS_FILE
    found = repaired(path, _usable)
    lost = (*found.lost, *(() if found.lost else _problems(History(folder.path).own())))
    yield ACTIONS_FILE, lost
    if lost and not dry_run:
        before = last_chain(path)
        data = _with_line(found, _entry(folder, path, ACTIONS_FILE, lost))
        _keep(folder, path)
        _write(path, data)
        rebased(folder.path, before, Journal(path).chain)
    for name in POST:
        path = folder.path / "mail" / name
        found = _mended_post(folder, path)
        lost = (*found.lost, *(() if found.lost else _problems(History(folder.path).post(path))))
        yield f"mail/{name}", lost
        if lost and not dry_run:
            _write_post(folder, path, found, lost)


def _mended_post(folder: GameFolder, path: Path) -> RepairedJournal:
    from gm.campaign.history import History
    from gm.mail.repair import restored_outbox, usable
    from gm.store.repair import RepairedJournal, repaired

    if path.is_file():
        return repaired(path, usable(path.name))
    lost = _problems(History(folder.path).post(path))
    if not lost:
        return RepairedJournal(b"", ())  # it was never begun
    data, said = restored_outbox(folder) if path.name == "outbox.jsonl" else (b"", ())
    return RepairedJournal(data, ("the file was missing, and with it every line", *said))


def _write_post(folder: GameFolder, path: Path, found: RepairedJournal, lost: tuple[str, ...]) -> None:
    """Put a journal of the post into the place of the damaged one, with the GM's line about it, all or nothing."""
    from gm.store.change import carry_out
    from gm.store.journal import CHAIN, post_ends

    name = path.relative_to(folder.path).as_posix()
    files: dict[str, bytes | None] = {name: found.data}
    if path.is_file():
        files[_kept_as(folder, path)] = path.read_bytes()
    ends: dict[str, str] = dict(post_ends(folder.path).get("post", {}))
    lines = found.data.splitlines()
    ends[path.name] = _json(lines[-1])[CHAIN] if lines else ""
    carry_out(folder.path, files, {**_entry(folder, path, name, lost), "post": ends})


def _problems(checks: Iterator[Any]) -> tuple[str, ...]:
    """What is wrong with a journal whose lines fit each other: some are missing, or were changed with care."""
    return tuple(each.problem for each in checks if each.problem)


def _entry(folder: GameFolder, path: Path, name: str, lost: tuple[str, ...]) -> dict[str, Any]:
    """The journal's line about a repair."""
    from gm.campaign.recovery import REPAIR
    from gm.store import BrokenFolderError

    try:
        turn: dict[str, int] = {"turn": folder.newest_turn()} if name == path.name else {}
    except BrokenFolderError:
        turn = {}
    kept = {"damaged": _kept_as(folder, path)} if path.is_file() else {}
    at = datetime.now(UTC).replace(microsecond=0).isoformat()
    return {"at": at, "did": REPAIR, "by": acting(), **turn, "file": name, "lost": list(lost), **kept}


def _with_line(found: RepairedJournal, entry: Mapping[str, Any]) -> bytes:
    """The GM's journal with the line about its own repair."""
    from gm.store.journal import CHAIN, START, line_of, text_of

    lines = found.data.splitlines()
    line, _ = line_of(_json(lines[-1])[CHAIN] if lines else START, text_of(entry))
    return found.data + line


def _json(line: bytes) -> dict[str, Any]:
    import json

    return dict(json.loads(line))


def _usable(entry: dict[str, Any]) -> bool:
    """Whether a line of the GM's journal says at least what was done."""
    return isinstance(entry.get("did"), str) and isinstance(entry.get("turn", 0), int)


def _kept_as(folder: GameFolder, path: Path) -> str:
    """A name for a damaged journal; the same again for the same content."""
    number = 1
    while (there := folder.path / DAMAGED / f"{path.name}-{number}").exists():
        if there.read_bytes() == path.read_bytes():
            break
        number += 1
    return f"{DAMAGED}/{path.name}-{number}"


def _keep(folder: GameFolder, path: Path) -> None:
    if path.is_file():
        _write(folder.path / _kept_as(folder, path), path.read_bytes())


def _write(path: Path, data: bytes) -> None:
    from gm.store.disk import make_folder, write_file

    make_folder(path.parent)
    write_file(path, data)
