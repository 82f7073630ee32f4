"""``pbem week``: everything that the post of a game needs, as far as the clock says (made for cron).

What it shares with ``pbem mail`` is here, too. Several games may be served at once: what goes wrong in one is told
under its name and keeps no other waiting.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from gm.bots.registry import bots_of
from gm.campaign.new_game import FULL
from gm.campaign.plan import turn_plan, with_bots
from gm.cli import hooks
from gm.cli.delays import give_grace, take_vacation
from gm.cli.headed import HeadedStream
from gm.cli.openings import act_for_missing, begin_when_full, serve_requests
from gm.cli.options import FOLDER, At, Games, argument, gm_command, meant, option
from gm.cli.output import FAILED, REFUSED, Failure, as_failure, complain, counted, os_trouble, print_text, warn
from gm.cli.post_status import elsewhere
from gm.cli.session import changing, game_time, note_action, open_campaign, utc_now
from gm.cli.turn import play, print_played
from gm.core.diagnostics import SourceError
from gm.mail.compose import Writer
from gm.mail.exchange import UNREACHABLE, fetch_letters, mailbox_mark, send_letters
from gm.mail.fetching import FetchResult
from gm.mail.game_mail import GameMail
from gm.mail.letter import Kind
from gm.mail.results import notify_waiting, publish_epilogue, publish_results
from gm.mail.sending import Delivery
from gm.mail.settings import mail_commands
from gm.mail.status import VACATION, new_complaints, problems, published_turns, wished_vacations
from gm.mail.week import Guard, Plan, Waits, plan_of, situation_of
from gm.store import StoreError
from gm.store.folder import MAIL_FILE, SETTINGS_FILE, GameFolder
from gm.store.journal import journal_of
from gm.store.trust import require_confirmed


def found_games(folders: Iterable[Path]) -> list[Path]:
    """Return the folders of the games that are meant, each once.

    Raises ``StoreError`` and ``Failure`` where there is none.
    """
    paths: list[Path] = []
    for folder in list(folders) or [meant()]:
        if (folder / SETTINGS_FILE).exists():
            paths.append(folder)
            continue
        # what begins with a dot was not finished
        below = sorted(path.parent for path in folder.glob(f"[!.]*/{SETTINGS_FILE}"))
        games = [path for path in below if (path / MAIL_FILE).exists()]
        if below and not games:
            raise Failure(f"No game in {folder} has mail settings: 'pbem mail setup --game FOLDER' makes them.")
        paths += games if below else [GameFolder.find(folder).path]
    return list({path.resolve(): path for path in paths}.values())


@dataclass
class Visit:
    """One of the games that a command serves.

    ``failure``: why it cannot be served; ``code``: its exit code; ``mailbox``: why that is of no use (the rest of its
    week goes on); ``says``: what is wrong with it, for the GM; ``mail``: the game's, while it is open.
    """

    folder: Path
    alone: bool
    failure: click.ClickException | None = None
    code: int = 0
    fetched: FetchResult | None = None
    mailbox: Failure | None = None
    says: list[str] = field(default_factory=list)
    stack: ExitStack = field(default_factory=ExitStack)
    mail: GameMail = field(init=False)

    def attempt(self, do: Callable[[], None]) -> None:
        """Do something for the game; what goes wrong ends the visit."""
        try:
            do()
        except (click.exceptions.Exit, click.Abort, click.UsageError, BrokenPipeError):
            raise
        except Exception as error:
            if isinstance(error, OSError):
                error = Failure(f"{os_trouble(error)} What was done until then counts.")
            self.failure = error if isinstance(error, click.ClickException) else as_failure(error)
            self.code = max(self.code, getattr(self.failure, "exit_code", FAILED))

    def open(self) -> None:
        """Open the game, with its lock held until its ``stack`` is closed."""
        mail = GameMail(self.stack.enter_context(changing(self.folder, by_steps=True)))
        # what is wrong with them is said now
        require_confirmed(mail.game_folder, *mail_commands(mail.settings))
        self.mail = mail


@contextmanager
def visits(folders: Sequence[Path]) -> Iterator[list[Visit]]:
    """Yield the games of these folders, opened. Every lock is let go of at the end, if not before."""
    games = found_games(folders)
    opened = [Visit(path, alone=len(games) == 1) for path in games]
    with ExitStack() as stack:
        for visit in opened:
            stack.enter_context(visit.stack)
            visit.attempt(visit.open)
        yield opened


def fetch_for(opened: Sequence[Visit], now: Callable[[Visit], Any], files: tuple[Path, ...] = ()) -> None:
    """Read each mailbox of these games once; ``now``: the time that counts for a game."""
    shared: dict[object, list[Visit]] = {}
    for visit in opened:
        if visit.failure is None:
            mark = None if files else mailbox_mark(visit.mail.settings, visit.folder)
            shared.setdefault(mark, []).append(visit)
    closed = any(visit.failure is not None for visit in opened)
    for group in shared.values():
        try:
            fetched = fetch_letters([visit.mail for visit in group], now(group[0]), files, closed=closed)
        except UNREACHABLE as error:
            for visit in group:
                visit.mailbox = Failure(str(error))
            continue
        for visit, one in zip(group, fetched, strict=True):
            visit.fetched = one
            if one.failure is not None:
                visit.failure = as_failure(one.failure)
                visit.code = FAILED


@contextmanager
def speaking(visit: Visit) -> Iterator[None]:
    """Print what is said under the name of the game that it is about, while several games are served."""
    if visit.alone:
        yield
        return
    heading = [f"{visit.folder.name}:"]
    with redirect_stdout(HeadedStream(sys.stdout, heading)), redirect_stderr(HeadedStream(sys.stderr, heading)):
        yield


# -- letters -----------------------------------------------------------------------------------------------------------


def clock_of(at: str | None, now: datetime) -> Callable[[], datetime]:
    """Return the clock; a rehearsal's stands still."""
    return (lambda: now) if at else utc_now


@contextmanager
def reachable() -> Iterator[None]:
    """Turn what a mailbox or server that cannot be used now raises into a ``Failure``."""
    try:
        yield
    except UNREACHABLE as error:
        raise Failure(str(error)) from None


def print_fetched(fetched: FetchResult, *, quiet: bool = False) -> None:
    """Print what came in, a line a letter, without copies of ours. ``quiet``: nothing when nothing is new."""
    news = [letter for letter in fetched.letters if letter[2] != f"left alone: {Kind.OWN}"]
    for sender, subject, outcome in news:
        click.echo(f"{sender}  {subject!r}: {outcome}")
    if news or not quiet:
        click.echo(f"{counted(len(news), 'new letter')}.")
    if fetched.left and not quiet:
        click.echo(f"{counted(len(fetched.left), 'letter')} left in the mailbox for {elsewhere(fetched.left)}.")
    for trouble in () if quiet else fetched.troubles:
        complain(trouble)  # the GM got a letter about it, too


def print_delivery(delivery: Delivery, *, quiet: bool = False) -> None:
    """Print what was sent, a line a letter. ``quiet``: nothing when nothing was."""
    for word, letters in (("sent", delivery.sent), ("FAILED", delivery.failed)):
        for letter in letters:
            click.echo(f"{word}  {letter.to}  {letter.subject}  {letter.words}".rstrip())
    if delivery.sent or delivery.failed or not quiet:
        click.echo(f"{counted(len(delivery.sent), 'letter')} sent, {len(delivery.waiting)} waiting.")


# -- the week --------------------------------------------------------------------------------------------------------


@gm_command("week")
def week(
    games: Annotated[tuple[Path, ...], argument(nargs=-1, type=FOLDER)],
    *,
    anyway: bool,
    publish: bool,
    quiet: Annotated[bool, option("--quiet", "-q", is_flag=True)],
    pretend_now: Annotated[str | None, option("--pretend-now", metavar="TIME")],
    at: At,
    game_folders: Games,
) -> int:
    """Do what is due in games by mail: letters, reminders, the turn, the results."""
    folders = (*games, *game_folders)
    if (anyway or publish) and len(found_games(folders)) > 1:
        raise click.UsageError("--anyway and --publish are for one game: name it with --game.")
    if pretend_now is not None:
        named = found_games(folders)
        for folder in named:
            with speaking(Visit(folder, alone=len(named) == 1)):
                mail = GameMail(open_campaign(folder))
                now = game_time(mail.campaign, pretend_now)
                situation = situation_of(mail, now)
                plan = plan_of(situation, anyway=anyway, publish=publish)
                print_text("pretended", now=now, turn=situation.turn, plan=plan)
        return 0
    with visits(folders) as served:
        fetch_for(served, lambda visit: game_time(visit.mail.campaign, at))
        for visit in served:
            with speaking(visit):
                if visit.failure is None:
                    visit.attempt(partial(_serve, visit, at, anyway=anyway, publish=publish, quiet=quiet))
                visit.stack.close()
                _complain(visit, quiet=quiet)
        # when no turn and no letter of any game waits any more
        for visit in served:
            with speaking(visit):
                if hasattr(visit, "mail"):
                    hooks.tell_of(visit.folder, at, quiet=quiet)
    return max((visit.code for visit in served), default=REFUSED)


def _serve(visit: Visit, at: str | None, *, anyway: bool, publish: bool, quiet: bool) -> None:
    """Do the week of one game, after its mailbox was read."""
    mail = visit.mail
    now = game_time(visit.mail.campaign, at)
    fetched = visit.fetched
    if fetched is not None:
        print_fetched(fetched, quiet=quiet)
    plan, mail = _act(mail, now, anyway=anyway, publish=publish)
    with reachable():
        delivery = send_letters(mail, clock_of(at, now), claimed=fetched is not None)
    mail.outbox.tidy(now)
    print_delivery(delivery, quiet=quiet)
    visit.says += [problem.says for problem in problems(mail)]
    for wait in plan.waits if not quiet else ():
        warn(f"Waiting for you: {wait.says}.")
    if fetched is not None and quiet:
        visit.says += fetched.troubles
    trouble = fetched is None or bool(fetched.troubles or fetched.problem or fetched.lost)
    if plan.waits or trouble or visit.says or delivery.failed:
        visit.code = max(visit.code, REFUSED)


def _complain(visit: Visit, *, quiet: bool) -> None:
    """Say what is wrong with a game; to cron what it has not heard yet."""
    says = [*visit.says, *([visit.failure.format_message()] if visit.failure else [])]
    # what somebody was told who typed the command, cron need not tell
    heard = new_complaints(visit.folder, says) if quiet or visit.failure is None else says
    new = heard if quiet else says
    for complaint in visit.says:
        if complaint in new:
            complain(complaint)
    if visit.failure is not None and says[-1] in new:
        visit.failure.show()


def _act(mail: GameMail, now: datetime, *, anyway: bool, publish: bool) -> tuple[Plan, GameMail]:
    """Do everything between fetching and sending; return the plan at its end, and the post as it is then."""
    mail = _vacations(mail, now)
    plan = plan_of(situation_of(mail, now), anyway=anyway, publish=publish)
    if plan.publish:
        if publish:
            note_action(mail.campaign, "week --publish", turn=mail.campaign.newest_turn)
        _publish(mail, now)
    mail = serve_seats(mail, now)
    # the GM's word was for these results, not for those that he has not seen yet
    plan = plan_of(situation_of(mail, now), anyway=anyway)
    if plan.grace:
        mail = GameMail(give_grace(mail.campaign, plan.grace, now).reopened())
        plan = plan_of(situation_of(mail, now), anyway=anyway)
    _remind(mail, plan, now)
    hooks.remind(mail, now)
    if plan.play and anyway:
        note_action(mail.campaign, "week --anyway", turn=mail.campaign.next_turn)
    if plan.play:
        plan, mail = _act_after_turn(mail, now)
    if mail.campaign.calendar.hold == FULL:
        plan = plan.evolve(waits=())  # it waits for players, and not for him
    # the GM hears of each thing that waits for him, once
    if waits := [wait for wait in plan.waits if wait.guard is not Guard.HOLD]:
        notify_waiting(mail, waits, now)
    return plan, mail


def _act_after_turn(mail: GameMail, now: datetime) -> tuple[Plan, GameMail]:
    """Play the turn and do what follows from it; the plan says so where it cannot be played."""
    broken = _play(mail, now)
    if broken:
        wait = Waits(Guard.BROKEN, f"turn {mail.campaign.next_turn} cannot be played: {broken}")
        return Plan(waits=(wait,)), mail
    mail = serve_seats(GameMail(mail.campaign.reopened()), now)
    plan = plan_of(situation_of(mail, now))
    if plan.publish:
        _publish(mail, now)
    return plan, mail


def serve(visit: Visit, at: str | None) -> None:
    """Do what the letters of a game ask for, for who runs it by hand."""
    now = game_time(visit.mail.campaign, at)
    visit.mail = serve_seats(_vacations(visit.mail, now), now)


def serve_seats(mail: GameMail, now: datetime) -> GameMail:
    """Do what letters ask for, and give up the seats of those who send nothing; returns the post as it is then."""
    campaign = act_for_missing(serve_requests(mail, now).campaign.reopened(), mail, now)
    if campaign.winners is not None and campaign.newest_turn in published_turns(mail):
        publish_epilogue(Writer(GameMail(campaign), now))  # with the letters, if all agree now
    return GameMail(begin_when_full(campaign, now).reopened())


def _vacations(mail: GameMail, now: datetime) -> GameMail:
    """Let the players have the weeks of vacation that they ask for, each once; returns the post as it is then."""
    for mark, realm, arrived in wished_vacations(mail):
        is_answered = any(entry.get("letter") == mark for entry in journal_of(mail.game_folder).entries)
        is_answered = is_answered or mail.outbox.knows(f"vacation {mark} {realm}")
        why = "" if is_answered else take_vacation(mail.campaign, realm, now, arrived, mark)
        if why:
            mail.queue(Writer(mail, now).no_vacation(realm, mark, why), now)
        mail = GameMail(mail.campaign.reopened())
        mail.log.remark(now, VACATION, of=mark)
    return mail


def _publish(mail: GameMail, now: datetime) -> None:
    queued = publish_results(mail, now)
    click.echo(f"The results of turn {mail.campaign.newest_turn} go out to {queued} players.")


def _remind(mail: GameMail, plan: Plan, now: datetime) -> None:
    unreadable = situation_of(mail, now).unreadable if plan.remind else ()
    for realm, hours in plan.remind:
        if mail.address(realm):
            mail.queue(Writer(mail, now).reminder(realm, hours, unreadable=realm in unreadable), now)
            click.echo(f"{realm} is reminded.")


def _play(mail: GameMail, now: datetime) -> str:
    """Play the turn; returns why it could not be played, for the GM. Letters go out all the same."""
    try:
        plan = with_bots(mail.campaign, turn_plan(mail.campaign), bots_of(mail.campaign.spec, mail.game_folder))
        print_played(mail.campaign, plan, play(mail.campaign, plan, now))
    except Failure as error:
        return error.message.rstrip(".")
    except (StoreError, SourceError) as error:
        return click.unstyle(as_failure(error).message).rstrip(".")
    return ""
