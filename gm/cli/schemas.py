"""``pbem schema``: the JSON Schemas of the files that players write and that programs read.

They cover orders, results, a bot's input, a turn's log and a game's history, and are made of the types that
the files are written from. Nothing in them forbids unknown entries: a version rises when an entry changes its
meaning or goes, not when one comes.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import msgspec
from msgspec import Meta

from gm.bots.program import FORMAT as BOT_FORMAT
from gm.cli.options import ExplainedGroup, Game, Results, gm_command, option
from gm.cli.output import print_document
from gm.cli.positions import GameName, game_with_map, results_context
from gm.cli.session import is_game, open_campaign
from gm.core.diagnostics import says
from gm.core.sealing import Proof
from gm.core.values import Record
from gm.game.spec import GameSpec
from gm.game.talk import Talk
from gm.store.folder import LOG, Roll
from gm.story.turns import HistoryFile
from gm.text.layout import FORMAT as RESULTS_FORMAT

DRAFT = "https://json-schema.org/draft/2020-12/schema"
Data = dict[str, Any]
# types of fields that several files have
Described = Annotated[str, Meta(description="The reader's code in the position.")]
Opaque = Annotated[Data | None, Meta(description="As the game has it; each game its own.")]


class Settled(Record, kw_only=True):
    """The outcome of one line of orders, and the clause that decided it unless it was simply carried out."""

    line: int
    column: int
    order: str
    fate: str
    clause: str = ""
    reason: str = ""
    says: str = ""
    figures: Data = {}  # noqa: RUF012


class Finding(Record):
    """What was found in an order file while it was read."""

    severity: Literal["error", "warning", "note"]
    code: str
    line: int
    column: int
    says: str
    suggestion: str
    clause: str


class Private(Record, kw_only=True):
    """What only this party may know. Gold, where there is any, is text, exact to 1/100."""

    orders: tuple[Settled, ...]
    refused: tuple[Finding, ...]
    set_aside: tuple[Finding, ...]
    rolls: tuple[Roll, ...]
    treasury: str = ""
    forecast: Opaque = None


class ResultsFile(Record, kw_only=True):
    """``results/CODE.yaml``: one turn as one party may know it.

    YAML outside, one JSON value a line inside.
    """

    results: Annotated[
        int, Meta(description="The version of this format.", ge=RESULTS_FORMAT, le=RESULTS_FORMAT)
    ]
    rules: Annotated[str, Meta(description="The game; not in files of Medieval Diplomacy.")] = "medieval"
    game: Annotated[str, Meta(description="The game's id, which order files quote.")]
    map: str
    realm: Described
    turn: Annotated[int, Meta(description="The turn that was played; 0: the start.", ge=0)]
    next_turn: Annotated[
        int, Meta(description="What the next order file quotes, where it is not the next number.")
    ] = 1
    key: Annotated[str, Meta(description="Of the next orders; what was mailed has a text in its place.")]
    orders_received: bool
    next_deadline: Annotated[str, Meta(description="For people; empty: none.")]
    next_seal: str
    dice: Proof | None
    position: Any
    board: Opaque = None
    private: Private
    events: Annotated[
        dict[str, tuple[Any, ...]],
        Meta(description="By step, in the order of the turn; a phase is before its name."),
    ]


class BotDocument(Record, kw_only=True):
    """What a program that plays reads from its standard input; it writes an order file."""

    format: Annotated[int, Meta(description="The version of this format.", ge=BOT_FORMAT, le=BOT_FORMAT)]
    game: Annotated[str, Meta(description="The game's id, which the order file quotes.")]
    plays: Annotated[str, Meta(description="Which game it is.")]
    realm: Described
    turn: Annotated[int, Meta(description="What the order file quotes.")]
    key: Annotated[str, Meta(description="What the order file quotes; it proves whose it is.")]
    seed: Annotated[str, Meta(description="For the bot's own dice; it reveals nothing about the turn's.")]
    position: Any
    private: Opaque = None
    map: Opaque
    rules: Opaque
    talk: Annotated[
        Talk, Meta(description="Medieval Diplomacy: what the bot remembers of the last turns.")
    ] = Talk()


class LogHead(Record, kw_only=True):
    """The first line of ``log.jsonl``; each further line is an event."""

    schema: Annotated[int, Meta(description="The version of this format.", ge=LOG.version, le=LOG.version)]
    game: str
    turn: int


FILES: Mapping[str, type[Record]] = {
    "results": ResultsFile,
    "bot": BotDocument,
    "log": LogHead,
    "history": HistoryFile,
}


def file_schema(spec: GameSpec[Any], kind: str) -> Data:
    """Return the JSON Schema of a game's files of one kind of ``FILES``; of a log, that of each line."""
    types = spec.file_types
    (file_type, position, *events), defs = _components([FILES[kind], types.state, *types.events.values()])
    # fields that a position leaves out in these files, since the file has them elsewhere
    if kind in ("results", "bot"):
        for name, fields in types.untold.items():
            defs[name]["required"] = [
                field for field in defs[name].get("required", ()) if field not in fields
            ]
    defs |= {"position": position, "event": {"anyOf": [*events]}}
    name_of_definition = file_type["$ref"].rpartition("/")[2]
    properties = defs[name_of_definition]["properties"]
    if "position" in properties:
        properties["position"] = {"$ref": "#/$defs/position"}
    if "events" in properties:  # a mapping to lists of events
        properties["events"]["additionalProperties"]["items"] = {"$ref": "#/$defs/event"}
    content = {"anyOf": [file_type, {"$ref": "#/$defs/event"}]} if kind == "log" else file_type
    head = {"$schema": DRAFT, "title": f"{spec.title}: {kind}"}
    return _without_unused({**head, **content, "$defs": defs})


def _components(types: list[Any]) -> tuple[tuple[Data, ...], dict[str, Data]]:
    """Return (the schemas of these types, the definitions that they refer to, by name).

    Entries that are not in a schema are not forbidden by it.
    """
    schemas, defs = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    for definition in defs.values():
        if "properties" in definition:
            definition.pop("additionalProperties", None)
        if "description" in definition:
            definition["description"] = " ".join(definition["description"].split())
    return schemas, defs


def _without_unused(schema: Data) -> Data:
    """Return the schema without the definitions that it does not refer to, directly or by others."""
    used = set[str]()  # names of definitions
    todo = [{name: part for name, part in schema.items() if name != "$defs"}]  # parts not searched yet
    while todo:
        text = json.dumps(todo.pop())
        new_names = {name for name in schema["$defs"] if f'"#/$defs/{name}"' in text} - used
        used |= new_names
        todo += [schema["$defs"][name] for name in new_names]
    return {
        **schema,
        "$defs": {name: definition for name, definition in schema["$defs"].items() if name in used},
    }


schema = ExplainedGroup("schema", module=__name__)


@gm_command("orders", schema, document=True)
def orders(
    results: Results,
    realm: Annotated[str | None, option("--realm", metavar="CODE")],
    map_name: Annotated[str | None, option("--map", metavar="NAME")],
    game_name: GameName,
    game_folder: Game,
) -> None:
    """Print the JSON Schema of order files."""
    if results is not None:
        if realm:
            raise click.UsageError(says("--results already names the realm."))
        if map_name is not None and not Path(map_name).is_dir():
            raise click.BadParameter(
                says("with --results, name a map's folder; {0!r} is not one", map_name), param_hint="'--map'"
            )
        context = results_context(results, Path(map_name) if map_name else None)
        reader = context.reader
        text = reader.spec.realm_schema(reader.table, reader.state, reader.game, context.realm or "")
        print_document(json.loads(text))
    elif map_name is None and (realm or is_game(game_folder)):
        print_document(_game_schema(game_folder, realm))
    elif realm:
        raise click.UsageError(says("--realm needs a game: a map alone does not say how the realm stands."))
    else:
        spec = game_with_map(map_name, game_name)
        if map_name is None or map_name not in spec.maps():
            options = says(
                "--results FILE for a player, --game FOLDER for a game, or --map with one of {0}",
                ", ".join(spec.maps()),
            )
            raise click.UsageError(says("Name the map or the results to take names from: {0}.", options))
        print_document(spec.schema(spec.shipped_table(map_name), None))


def _game_schema(game_folder: Path | None, realm: str | None) -> Any:
    """Return the schema of a game's order files, or of one realm's.

    Raises ``click.BadParameter`` for a realm that the game does not have.
    """
    campaign = open_campaign(game_folder)
    spec = campaign.spec
    game = campaign.folder.settings.id
    if realm is None:
        return spec.schema(campaign.table, game)
    seat = campaign.seat(realm.upper())
    if seat is None:
        codes = ", ".join(seat.code for seat in campaign.seats)
        raise click.BadParameter(
            says("no realm has the code {0!r}; there are {1}", realm, codes), param_hint="'--realm'"
        )
    return json.loads(spec.realm_schema(campaign.table, campaign.state, game, seat.code))


def _add_command(kind: str) -> None:
    """Add to ``pbem schema`` the command for one kind of ``FILES``."""

    @gm_command(kind, schema, document=True)
    def command(
        map_name: Annotated[str | None, option("--map", metavar="NAME")],
        game_name: GameName,
        game_folder: Game,
    ) -> None:
        """Print the schema."""
        # what is named here goes before the game of the folder; without any it is pbem's first game
        if map_name or game_name or not is_game(game_folder):
            spec = game_with_map(map_name, game_name)
        else:
            spec = open_campaign(game_folder).spec
        print_document(file_schema(spec, kind))


for _kind in FILES:
    _add_command(_kind)
