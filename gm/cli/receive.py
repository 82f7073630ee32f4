"""``pbem receive``: order files into the inbox."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from gm.campaign.open import Campaign
from gm.campaign.receive import UNACCEPTED, ReceiptStatus, Submission, SubmissionResult, lateness, receive
from gm.campaign.unpacking import offered_file
from gm.cli import output
from gm.cli.options import AsJson, At, Game, argument, gm_command, option
from gm.cli.output import REFUSED, Failure, fields, print_json
from gm.cli.session import carry_out, changing, game_time
from gm.cli.speech import translate
from gm.core.diagnostics import render_all, says
from gm.core.values import Record
from gm.store.inbox import Changes
from gm.text.words import turn_in_words

SHOWN = 5  # how many findings of one file are printed; 'pbem check' shows all


@gm_command("receive")
def receive_files(
    paths: Annotated[
        tuple[Path, ...], argument(nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
    ],
    take_late: Annotated[bool, option("--late", is_flag=True)],
    at: At,
    game_folder: Game,
    as_json: AsJson,
) -> int:
    """Receive order files into the inbox of a game."""
    reception = take_in(game_folder, lambda: map(offered_file, _files(paths)), at, take_late=take_late)
    if as_json:
        files = [_verdict_data(verdict) for verdict in reception.verdicts]
        print_json({"turn": reception.turn, "files": files, "missing": reception.missing})
    else:
        click.echo(reception.text(), nl=False)
    return REFUSED if reception.is_refused else 0


class Reception(Record):
    """What became of order files that were received."""

    campaign: Campaign
    verdicts: Sequence[SubmissionResult]  # one for each file
    missing: Sequence[str]  # the codes of the parties that still have no orders
    at: datetime  # when they were received

    @property
    def turn(self) -> int:
        """The turn that the orders are for."""
        return self.campaign.next_turn

    @property
    def is_refused(self) -> bool:
        """Whether any of the files was not accepted, for whatever reason (``UNACCEPTED``)."""
        return any(verdict.fate in UNACCEPTED for verdict in self.verdicts)

    def text(self) -> str:
        """Return the result of each file in words, with the colours of a terminal."""
        values = fields(self, "campaign", "turn", "verdicts", "missing")
        values["coming"] = turn_in_words(self.campaign.spec.coming_name(self.campaign.state), translate)
        values["now"] = self.at
        # functions that the text calls: how late a file came, and findings as text
        values["lateness"] = partial(lateness, translate=translate)
        values["shown"] = partial(render_all, colour=True, limit=SHOWN, translate=translate)
        return output.text_of("received", **values)


def take_in(
    game_folder: Path | None,
    offers: Callable[[], Iterable[Submission]],
    at: str | None,
    *,
    take_late: bool,
) -> Reception:
    """Receive order files for a game: put the accepted ones into its inbox; keep the others as rejected.

    ``offers``: returns the files, called while the game is locked; ``at``: what counts as now, None for the
    clock; ``take_late``: files after the deadline are accepted, too.
    """
    with changing(game_folder, drawings=False) as campaign:
        now = game_time(campaign, at)
        files: Changes = {}
        verdicts = receive(campaign, list(offers()), now, take_late=take_late, into=files)
        accepted = sorted(verdict.realm for verdict in verdicts if verdict.fate is ReceiptStatus.ACCEPTED)
        if files:
            rejected = sum(
                verdict.fate is not ReceiptStatus.ACCEPTED and bool(verdict.stored) for verdict in verdicts
            )
            carry_out(campaign, "receive", files, turn=campaign.next_turn, taken=accepted, set_aside=rejected)
        writing = [seat.code for seat in campaign.seats if seat.may_write]
        current_files = campaign.folder.inbox(campaign.next_turn).current(writing)
        missing = [code for code in writing if code not in current_files]
    return Reception(campaign, verdicts, missing, now)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the paths of the files to be received: in the order given, those of a folder oldest first.

    In folders, hidden files, links and editors' schemas are left out. Raises ``Failure`` for a folder without
    files, and for a path that is neither file nor folder.
    """
    for path in paths:
        if path.is_dir():
            files = [file for file in path.rglob("*") if file.is_file() and not file.is_symlink()]
            inside = [file for file in files if _is_offered(file.relative_to(path))]
            if not inside:
                raise Failure(says("There are no files in {0}.", path))
            yield from sorted(inside, key=lambda file: (file.stat().st_mtime_ns, str(file)))
        elif path.is_file():
            yield path
        else:
            raise Failure(says("{0} is neither a file nor a folder.", path))


def _is_offered(path: Path) -> bool:
    """Return whether a file of a folder may hold orders: it is neither hidden nor an editor's schema.

    ``path``: relative to the folder.
    """
    return not path.name.endswith(".schema.json") and not any(part[0] == "." for part in path.parts)


def _verdict_data(verdict: SubmissionResult) -> dict[str, Any]:
    """Return the result of a submitted file, for ``--json``; an empty realm, claim or path is None."""
    names = ("realm", "claimed", "fate", "late", "replaced", "stored", "errors", "warnings", "diagnostics")
    data = fields(verdict, *names)
    data["lapses"] = [str(lapse) for lapse in verdict.lapses]
    none_if_empty = {name: data[name] or None for name in ("realm", "claimed", "stored")}
    return {"file": verdict.name, **data, **none_if_empty}
