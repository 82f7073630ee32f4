"""``gm announce`` and ``gm deadline``: letters to all players; when orders are due, and every way to move it."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Annotated, Any, BinaryIO

import click

from gm.campaign.open import Campaign
from gm.cli.options import AsJson, At, ExplainedGroup, Game, argument, gm_command, option
from gm.cli.output import Failure, Refusal, counted, print_json, warn
from gm.cli.session import carry_out, changing, game_time, moment, open_campaign
from gm.store.formats import edited_yaml, flow, plain_scalar
from gm.store.inbox import fingerprint
from gm.store.settings import fixed, time_left


@gm_command("announce")
def announce(
    file: Annotated[BinaryIO, argument(type=click.File("rb"))],
    subject: Annotated[str | None, option("--subject", metavar="TEXT")],
    only: Annotated[tuple[str, ...], option("--to", multiple=True, metavar="REALM")],
    yes: Annotated[bool, option("--yes", "-y", is_flag=True)],
    at: At,
    game_folder: Game,
) -> None:
    from gm.mail.game_mail import MAIL, GameMail
    from gm.mail.results import ANNOUNCEMENTS, LONGEST, announced, readers

    subject, text = announced(getattr(file, "name", "the text"), file.read(LONGEST + 1), subject)
    with changing(game_folder) as campaign:
        post = GameMail(campaign)
        _ = post.settings  # without any there is nothing to announce by
        realms = readers(post, only)
        mark = fingerprint(f"{subject}\n{text}".encode())[:16]
        new = [realm for realm in realms if not post.outbox.knows(f"announcement {mark} {realm}")]
        if not new:
            raise Refusal("Everybody has been sent just this already: nothing goes out.")
        click.echo(f"To {', '.join(f'{realm} <{post.address(realm)}>' for realm in new)}")
        click.echo(f"Subject: {subject}\n\n{text}")
        if not yes:
            click.confirm(f"{counted(len(new), 'letter')}. Send them?", abort=True)
        files = {campaign.folder.path / MAIL / ANNOUNCEMENTS / f"{mark}.txt": text.encode()}
        about: dict[str, Any] = {"announcement": mark, "subject": subject, "realms": new}
        now = game_time(campaign, at).isoformat()
        queued = carry_out(campaign, "announce", files, turn=campaign.next_turn, letters=now, **about)
    click.echo(f"{counted(queued, 'letter')} in the outbox: 'gm mail send' or 'gm week' sends them.")


# -- deadlines ---------------------------------------------------------------------------------------------------------

Why = Annotated[str, option("--why", default="", help="What for; the players read it.")]


def _show_unless_told() -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        context.invoke(show, at=None, game_folder=None, as_json=False)


deadline = ExplainedGroup("deadline", module=__name__, invoke_without_command=True, callback=_show_unless_told)


@gm_command("show", deadline)
def show(at: At, game_folder: Game, as_json: AsJson) -> None:
    campaign = open_campaign(game_folder)
    due = campaign.folder.settings.deadline
    now = game_time(campaign, at)
    turns = range(campaign.next_turn, campaign.next_turn + 6)
    if as_json:
        print_json({"hold": due.hold, "deadlines": {turn: due.of_turn(turn) for turn in turns}})
        return
    if due.hold:
        warn(f"The game is on hold: {due.hold}")
    for turn in turns:
        remark = f"   {time_left(due.of_turn(turn) - now)}" if turn == campaign.next_turn else ""
        click.echo(f"  turn {turn:<3}  {due.words(turn)}{remark}")


@gm_command("extend", deadline)
def extend(
    hours: Annotated[int | None, option("--hours", type=click.IntRange(1, 24 * 60))],
    until: Annotated[str | None, option("--until", metavar="TIME")],
    why: Why,
    at: At,
    game_folder: Game,
) -> None:
    campaign = open_campaign(game_folder)
    due = campaign.folder.settings.deadline
    if (hours is None) == (until is None):
        raise click.UsageError("Say how long: either --hours or --until.")
    old = due.of_turn(campaign.next_turn)
    new = moment(until, due.zone) if until else fixed(old + timedelta(hours=hours or 0), due.zone)
    if new <= old:
        raise Failure(f"The deadline is {due.words(campaign.next_turn)}: an extension has to be later.")
    following = due.of_turn(campaign.next_turn + 1)
    if new >= following:
        hint = "move the turn instead, and the later ones with it ('gm deadline move DATE')"
        raise Failure(f"Turn {campaign.next_turn + 1} is due {due.words(campaign.next_turn + 1)}: {hint}.")
    if rest := next((each for each in due.holidays if each.holds(new.date())), None):
        raise Failure(f"{new:%Y-%m-%d} is in the holiday from {rest.first} to {rest.last}: no turn is due then.")
    entry = {campaign.next_turn: new.strftime("%Y-%m-%d %H:%M")}
    _change(campaign, lambda data: _entry(data, "extended").update(entry), at, why=why)


@gm_command("move", deadline)
def move(
    day: Annotated[str, argument(metavar="DATE")],
    turn: Annotated[int | None, option("--turn", type=click.IntRange(1))],
    why: Why,
    at: At,
    game_folder: Game,
) -> None:
    campaign = open_campaign(game_folder)
    turn = turn or campaign.next_turn
    if turn < campaign.next_turn:
        raise Failure(f"Turn {turn} is played already; the coming turn is {campaign.next_turn}.")
    given = _date(day)
    due = campaign.folder.settings.deadline
    if turn > 1 and given <= due.of_turn(turn - 1).date():
        raise Failure(f"Turn {turn - 1} is due {due.words(turn - 1)}: {given} is not after it.")

    def change(data: Any) -> None:
        _entry(data, "moved").update({turn: given})
        extended = _entry(data, "extended")
        extended.pop(turn, None)
        if not extended:
            del data["deadline"]["extended"]  # an emptied block and its comment do not go together

    _change(campaign, change, at, about=turn, why=why)


@gm_command("holiday", deadline)
def holiday(first: str, last: str, why: Why, at: At, game_folder: Game) -> None:
    campaign = open_campaign(game_folder)
    begin, end = _date(first), _date(last)
    if end < begin:
        raise Failure(f"A holiday that begins on {begin} cannot end on {end}.")
    entry = flow({"first": begin, "last": end, "why": plain_scalar(why)})
    _change(campaign, lambda data: _entry(data, "holidays").append(entry), at, first=str(begin), last=str(end), why=why)


@gm_command("hold", deadline)
def hold(why: str, at: At, game_folder: Game) -> None:
    if not why.strip():
        raise click.UsageError("Say why: the players read it.")
    campaign = open_campaign(game_folder)
    _change(campaign, lambda data: data["deadline"].update({"hold": plain_scalar(why.strip())}), at, why=why.strip())


@gm_command("resume", deadline)
def resume(at: At, game_folder: Game) -> None:
    campaign = open_campaign(game_folder)
    if not campaign.folder.settings.deadline.hold:
        raise Failure("The game is not on hold.")
    campaign = _change(campaign, lambda data: data["deadline"].update({"hold": plain_scalar("")}), at)
    due = campaign.folder.settings.deadline
    if moment(at, due.zone) > due.of_turn(campaign.next_turn):
        click.echo(f"The deadline of turn {campaign.next_turn} has passed: the next 'gm week' plays it.")


def _change(campaign: Campaign, change: Callable[[Any], None], at: str | None, **news: Any) -> Campaign:
    """Change game.yaml, tell the players ``news`` of it, show what became of the coming deadline; returns the game as
    it is then."""
    with changing(campaign.folder.path) as campaign:
        path = campaign.folder.path / "game.yaml"
        before = campaign.folder.settings.deadline
        data = edited_yaml(path, change)
        # what cannot be read again is not written
        changed = Campaign(campaign.folder.planned(settings=data), campaign.spec)
        turn, due = changed.next_turn, changed.folder.settings.deadline
        state = f"on hold: {due.hold}" if due.hold else f"due {due.words(turn)}"
        plain_scalar(news.get("why", ""))
        news |= {"what": click.get_current_context().info_name, "was": before.of_turn(turn).isoformat()}
        news |= {"letters": moment(at, due.zone).isoformat()}
        queued = carry_out(campaign, "deadline", {path: data}, turn=turn, state=state, **news)
    click.echo(f"Turn {turn} is {state}.")
    if queued:
        click.echo(f"{counted(queued, 'letter')} about it in the outbox: 'gm mail send' or 'gm week' sends them.")
    return changed


def _entry(data: Any, name: str) -> Any:
    deadline = data["deadline"]
    if deadline.get(name) is None:
        deadline[name] = flow([] if name == "holidays" else {})
    return deadline[name]


def _date(text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()  # noqa: DTZ007 - a day, the zone comes with the deadline
    except ValueError:
        raise click.BadParameter(f"{text!r} is no date; write it like 2026-04-12") from None
