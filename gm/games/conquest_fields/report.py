"""What the reports of Conquest tell of the game itself: the board, what can move, how it came about (CF-12)."""

from __future__ import annotations

from collections.abc import Iterator

from gm.game.base.hooks import Scene
from gm.game.base.views import Fact, Folded, Grid, Listing, Part, Prose, Section, Shown
from gm.games.conquest_fields.board import Board, members
from gm.games.conquest_fields.drawing import DARK, LIGHT
from gm.games.conquest_fields.orders import open_ends
from gm.games.conquest_fields.state import HalfMove, Match, enemy_of


def facts(scene: Scene) -> Iterator[Fact]:
    """The figures at the top of a player's page."""
    _, match, code = scene.translate, scene.after, scene.code
    yield Fact(
        _("Your fields"), str(match.fields(code)), _("against {count}").format(count=match.fields(enemy_of(code)))
    )
    yield Fact(_("Half-moves"), str(len(match.history)), _(scene.table.board.board.title))
    if match.winners is None:
        yours = match.to_move == code
        yield Fact(_("To move"), _(match.mover.name), _("it is your turn") if yours else _("you wait"))


def sections(scene: Scene) -> Iterator[Section]:
    """The sections before the orders (CF-12)."""
    _, match, board = scene.translate, scene.after, scene.table.board.board
    about = _("The board after {label}").format(label=scene.spec.label(match, _))
    legend = _("The circle is where the other side's last half-move ended. Fields with a yellow edge can move.")
    yield Section("board", _("Board"), [scene.picture(about, legend, translate=_), *_state(scene)])
    if match.winners is None and match.to_move == scene.party:
        ends = open_ends(board, match.position(board))
        rows = [[start, ", ".join(grow), ", ".join(jump)] for start, grow, jump in ends]
        yield Section("moves", _("Your moves"), [Grid((_("From"), _("grows to"), _("jumps to")), rows)])
    columns = (_("Number"), _("Side"), _("Half-move"), _("Kind"), _("Conquers"), _("by"))
    history = [_half_move(scene, each) for each in match.history]
    yield Section("history", _("Half-moves"), [Grid(columns, history, nothing=_("none yet"))])


def board_text(board: Board, match: Match) -> str:
    """The board as text, with the names of rows and columns along its edges (CF-12.3)."""
    widest = max(map(len, board.rows))
    head = "   " + " ".join(f"{number:>2}" for number in range(1, widest + 1))
    shifted = board.topology == "hex-rows"
    lines = [head]
    for row, text in enumerate(match.rows):
        cells = " ".join(f"{what:>2}" for what in text)
        lines.append(f"{chr(ord('a') + row)}  {' ' if shifted and row % 2 else ''}{cells}".rstrip())
    return "\n".join(lines) + "\n"


def _state(scene: Scene) -> Iterator[Part]:
    _, match = scene.translate, scene.after
    if match.winners is None:
        told = _("{side} is to move; the order file quotes turn {number}.")
        yield Prose((told.format(side=_(match.mover.name), number=match.number),))
    notes = [event for event in scene.result.events if event.kind == "NoteLeft" and scene.visible(event)]
    if notes:
        yield Prose([scene.says(each) for each in notes])
    text = Listing(board_text(scene.table.board.board, match))
    yield Folded(_("The board as text: . free, # hole, R red, G green"), [text])


def _half_move(scene: Scene, each: HalfMove) -> list[Shown]:
    _ = scene.translate
    kind = _("grow") if each.kind == "grow" else _("jump")
    conquers = ", ".join(each.conquered)
    return [each.number, scene.party_cell(each.side), f"{each.start}-{each.end}", kind, conquers, _(each.by)]


def writer_data(scene: Scene) -> dict[str, object]:
    """What the script needs to let a move be clicked: the open ends of each own field, and words in the language."""
    _, match, board = scene.translate, scene.after, scene.table.board.board
    at = match.position(board)
    ends = {start: {"grow": grow, "jump": jump} for start, grow, jump in open_ends(board, at)}
    won = {
        name: [board.names[each] for each in members(near & at.enemy)]
        for name, near in zip(board.names, board.near, strict=True)
    }
    colours, own = scene.table.rules.colours, (scene.code).lower()
    return {
        "game": scene.result.game,
        "turn": match.number,
        "player": own,
        "key": scene.result.keys.get(scene.code, ""),
        "moves": ends,
        "conquers": {name: fields for name, fields in won.items() if fields},
        "colours": {name: colours[name] for name in ("can_start", "start", "grow_end", "jump_end")},
        "fields": {"free": colours["free"], "own": colours[own], "dark": DARK, "light": LIGHT},
        "words": {
            "choose": _("Click one of your fields with a yellow edge, then where it goes."),
            "from": _("From {start}: click an end. Light blue grows, violet jumps."),
            "chosen": _("Your move: {start}-{end} ({kind}). Download the file or copy it into your mail."),
            "conquering": _(
                "Your move: {start}-{end} ({kind}), which conquers {won}. Download the file or copy it into your mail."
            ),
            "grow": _("grow"),
            "jump": _("jump"),
            "download": _("Download the order file"),
            "again": _("Choose again"),
        },
    }


def choices(scene: Scene) -> Iterator[Part]:
    """Nothing beyond the section of moves."""
    return iter(())


def rule_tables(rules: object) -> Iterator[Part]:
    """The game has no tables of figures."""
    return iter(())


def template_lines(scene: Scene) -> list[str]:
    """What stands below the head of the template: the player's moves, and what else can be written (CF-2.8, CF-8.1)."""
    _, match, board = scene.translate, scene.after, scene.table.board.board
    lines = [
        f"# note: {_('well played')}",
        f"# language: en        # {_('or de: your next reports')}",
        f"# resign: true        # {_('you give the game up')}",
    ]
    if match.to_move != scene.party:
        return [f"# {_('It is not your turn.')}", *lines]
    ends = list(open_ends(board, match.position(board)))
    start, end = next(((start, (grow or jump)[0]) for start, grow, jump in ends), ("a1", "a2"))
    possible = [
        f"#   {start}: {_('grows to')} {' '.join(grow) or '-'}; {_('jumps to')} {' '.join(jump) or '-'}"
        for start, grow, jump in ends
    ]
    return [f"# move: {{from: {start}, to: {end}}}", *lines, "", f"# {_('Your moves')}:", *possible]
