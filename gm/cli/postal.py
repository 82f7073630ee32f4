"""``pbem week``: all work on a game's mail that is due by the clock (made for cron)."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import click

from gm.bots.registry import bots_of
from gm.campaign.new_game import FULL
from gm.campaign.plan import turn_plan, with_bots
from gm.cli import hooks
from gm.cli.deadline_change import give_grace, take_vacation
from gm.cli.neighbours import digests_held, games_beside
from gm.cli.openings import act_for_missing, begin_when_full
from gm.cli.options import FOLDER, At, Games, argument, gm_command, option
from gm.cli.output import REFUSED, Failure, as_failure, complain, echo, print_text, translated, warn
from gm.cli.requests import serve_requests
from gm.cli.session import game_time, note_action, open_campaign
from gm.cli.turn import play, print_played
from gm.cli.visits import (
    Visit,
    by_mailbox,
    clock_of,
    fetch_for,
    found_games,
    print_delivery,
    print_fetched,
    reachable,
    under_heading,
    visits,
)
from gm.core.diagnostics import SourceError, says
from gm.mail import channels
from gm.mail.compose import Writer
from gm.mail.digest import queue_digests
from gm.mail.exchange import send_letters
from gm.mail.game_mail import GameMail
from gm.mail.results import notify_waiting, publish_epilogue, publish_results
from gm.mail.status import VACATION, new_complaints, problems, published_turns, wished_vacations
from gm.mail.week import Guard, Plan, Waits, plan_of, situation_of
from gm.store import StoreError
from gm.store.journal import journal_of


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
        raise click.UsageError(says("--anyway and --publish are for one game: name it with --game."))
    if pretend_now is not None:
        named_folders = found_games(folders)
        for folder in named_folders:  # each is only read, and nothing is done in it
            with under_heading(Visit(folder, alone=len(named_folders) == 1)):
                mail = GameMail(open_campaign(folder))
                now = game_time(mail.campaign, pretend_now)
                situation = situation_of(mail, now)
                plan = plan_of(situation, anyway=anyway, publish=publish)
                print_text("pretended", now=now, turn=situation.turn, plan=plan)
        return 0
    with visits(folders) as served:
        fetch_for(served, lambda visit: game_time(visit.mail.campaign, at))
        _write_digests(served, at)
        for visit in served:
            with under_heading(visit):
                if visit.failure is None:
                    visit.attempt(partial(_serve, visit, at, anyway=anyway, publish=publish, quiet=quiet))
                visit.stack.close()  # releases the game's lock
                _complain(visit, quiet=quiet)
        # notifications are sent last: a slow server of theirs must not hold up a game's turn or letters
        for visit in served:
            with under_heading(visit):
                if hasattr(visit, "mail"):  # else the game could not be opened
                    hooks.tell_of(visit.folder, at, quiet=quiet)
    return max((visit.code for visit in served), default=REFUSED)


def _write_digests(served: Sequence[Visit], at: str | None) -> None:
    """Queue the digests that are due for players of these games.

    Records in each visit the realms whose players get digests, and therefore no reminders. ``at``: the time
    of ``--at``, None for now.
    """
    for group in by_mailbox(served):
        mails = [visit.mail for visit in group]
        now = game_time(mails[0].campaign, at)
        with digests_held(mails) as alone:
            # the other games are read after other runs have been kept from writing digests
            seats = queue_digests(mails, games_beside(mails), now, alone=alone)
        for visit in group:
            visit.digested = frozenset(seat.realm for seat in seats if seat.mail is visit.mail)


def _serve(visit: Visit, at: str | None, *, anyway: bool, publish: bool, quiet: bool) -> None:
    """Do the week of one game, after its mailbox was read; add its problems and exit code to the ``visit``.

    The options are those of ``pbem week``.
    """
    now = game_time(visit.mail.campaign, at)
    fetched = visit.fetched
    if fetched is not None:
        print_fetched(fetched, quiet=quiet)
    plan, mail = _act(visit.mail, now, visit.digested, anyway=anyway, publish=publish)
    with reachable():
        delivery = send_letters(mail, clock_of(at, now), claimed=fetched is not None)
    mail.outbox.tidy(now)
    print_delivery(delivery, quiet=quiet)
    visit.says += [problem.says for problem in problems(mail)]
    if not quiet:
        for wait in plan.waits:
            warn(says("Waiting for you: {0}.", wait.says))
    if fetched is not None and quiet:  # else they were printed with the letters
        visit.says += fetched.troubles
    # None: the mailbox could not be read
    is_troubled = fetched is None or bool(fetched.troubles or fetched.problem or fetched.lost)
    if plan.waits or is_troubled or visit.says or delivery.failed:
        visit.code = max(visit.code, REFUSED)


def _complain(visit: Visit, *, quiet: bool) -> None:
    """Print the problems of a game, its failure last; with ``quiet`` only what the last run did not print."""
    complaints = list(visit.says)
    if visit.failure is not None:
        complaints.append(visit.failure.format_message())
    to_print = complaints
    # also recorded without ``quiet``: cron need not repeat what the GM has read at the terminal
    if quiet or visit.failure is None:
        new = new_complaints(visit.folder, complaints)
        to_print = new if quiet else complaints
    for complaint in visit.says:
        if complaint in to_print:
            complain(complaint)
    # the failure is the last of the complaints
    if visit.failure is not None and complaints[-1] in to_print:
        translated(visit.failure).show()


def _act(
    mail: GameMail, now: datetime, digested: frozenset[str], *, anyway: bool, publish: bool
) -> tuple[Plan, GameMail]:
    """Do everything between fetching and sending; return (the plan of what is left, the changed game's mail).

    ``digested``: the codes of realms whose players get a digest; ``anyway``: the turn is played even if it
    would wait for the GM; ``publish``: results that wait for the GM go out.
    """
    mail = _vacations(mail, now)
    plan = plan_of(situation_of(mail, now), anyway=anyway, publish=publish)
    if plan.publish:
        if publish:
            note_action(mail.campaign, "week --publish", turn=mail.campaign.newest_turn)
        _publish(mail, now)
    mail = serve_seats(mail, now)
    # without ``publish``, which the GM said of these results, and not of the next turn's
    plan = plan_of(situation_of(mail, now), anyway=anyway)
    if plan.grace:
        mail = GameMail(give_grace(mail.campaign, plan.grace, now).reopened())
        plan = plan_of(situation_of(mail, now), anyway=anyway)
    _remind(mail, plan, now, digested)
    hooks.remind(mail, now)
    if plan.play and anyway:
        note_action(mail.campaign, "week --anyway", turn=mail.campaign.next_turn)
    if plan.play:
        plan, mail = _act_after_turn(mail, now)
    if mail.campaign.calendar.hold == FULL:
        plan = plan.evolve(waits=())  # the game waits for players, and not for the GM
    # a hold is the GM's own doing
    waits = [wait for wait in plan.waits if wait.guard is not Guard.HOLD]
    if waits:
        notify_waiting(mail, waits, now)
    return plan, mail


def _act_after_turn(mail: GameMail, now: datetime) -> tuple[Plan, GameMail]:
    """Play the turn and do what follows from it; return (the plan after it, the changed game's mail).

    If the turn cannot be played, the plan waits for the GM.
    """
    why_not = _play(mail, now)
    if why_not:
        wait = Waits(Guard.BROKEN, says("turn {0} cannot be played: {1}", mail.campaign.next_turn, why_not))
        return Plan(waits=(wait,)), mail
    mail = serve_seats(GameMail(mail.campaign.reopened()), now)
    plan = plan_of(situation_of(mail, now))
    if plan.publish:
        _publish(mail, now)
    return plan, mail


def serve(visit: Visit, at: str | None) -> None:
    """Carry out the requests in a game's letters, as the week does, for a GM who plays turns by hand.

    ``at``: what counts as now. Sets the changed game's mail in the visit.
    """
    now = game_time(visit.mail.campaign, at)
    visit.mail = serve_seats(_vacations(visit.mail, now), now)


def serve_seats(mail: GameMail, now: datetime) -> GameMail:
    """Carry out requests in letters, and give up the seats of players who have missed too many turns.

    Then publish the end of a game that is over, or begin a game whose last seat was taken. Returns the
    changed game's mail.
    """
    campaign = act_for_missing(serve_requests(mail, now).campaign.reopened(), mail, now)
    # not before the last turn's results, which tell that the game is over
    if campaign.winners is not None and campaign.newest_turn in published_turns(mail):
        publish_epilogue(Writer(GameMail(campaign), now))  # with the players' letters in it, once all agree
    return GameMail(begin_when_full(campaign, now).reopened())


def _vacations(mail: GameMail, now: datetime) -> GameMail:
    """Grant each request for a week of vacation once, or answer why not; return the changed game's mail."""
    for mark, realm, arrived in wished_vacations(mail):
        # a run that was killed may have granted or refused it, without the remark below
        is_granted = any(entry.get("letter") == mark for entry in journal_of(mail.game_folder).entries)
        if not is_granted and not mail.outbox.knows(f"vacation {mark} {realm}"):
            why_not = take_vacation(mail.campaign, realm, now, arrived, mark)
            if why_not:
                mail.queue(Writer(mail, now).no_vacation(realm, mark, why_not), now)
        mail = GameMail(mail.campaign.reopened())
        mail.log.remark(now, VACATION, of=mark)
    return mail


def _publish(mail: GameMail, now: datetime) -> None:
    """Queue the newest turn's results for the players, and print how many letters there are."""
    queued = publish_results(mail, now)
    echo(says("The results of turn {0} go out to {1} players.", mail.campaign.newest_turn, queued))


def _remind(mail: GameMail, plan: Plan, now: datetime, digested: frozenset[str]) -> None:
    """Queue the reminders of missing orders: letters, and notifications for players' own channels.

    Players in ``digested`` (codes of realms) get no letters, and those without an address nothing.
    """
    unreadable = situation_of(mail, now).unreadable if plan.remind else ()
    for realm, hours in plan.remind:
        if mail.address(realm) and realm not in digested:
            mail.queue(Writer(mail, now).reminder(realm, hours, unreadable=realm in unreadable), now)
            echo(says("{0} is reminded.", realm))
        if mail.address(realm):
            channels.queue_reminder(mail, realm, hours, now)


def _play(mail: GameMail, now: datetime) -> str:
    """Play the turn; return why it cannot be played, in English, for the letter to the GM; empty if it was.

    The words have no full stop, as they end a sentence of that letter. Errors of the game are not raised, so
    that letters go out nevertheless.
    """
    try:
        plan = with_bots(
            mail.campaign, turn_plan(mail.campaign), bots_of(mail.campaign.spec, mail.game_folder)
        )
        print_played(mail.campaign, plan, play(mail.campaign, plan, now))
    except Failure as error:
        return str(error.message).rstrip(".")
    except (StoreError, SourceError) as error:
        return click.unstyle(str(as_failure(error).message)).rstrip(".")
    return ""
