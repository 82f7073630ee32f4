"""Every reader of bytes that somebody else wrote, each with what it must keep to whatever the bytes are.

A target takes bytes and raises nothing but ``AssertionError``; whatever else gets out of it is a bug of the
reader's.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from itertools import chain
from pathlib import Path
from random import Random

from gm.campaign.verify import check_results
from gm.core.diagnostics import Diagnostic, SourceError
from gm.core.yaml.source import Source, plain_data, read_yaml
from gm.game.values import GameData, OrderFile
from gm.games.medieval.spec import SPEC
from gm.mail.letter import read_letter
from gm.resources import resource
from gm.store import StoreError
from gm.store.archive import LIST
from gm.store.formats import read_lines, read_snapshot, table_of
from gm.store.inbox import RECEIPTS
from gm.store.journal import Journal
from gm.store.settings import PLAYERS, SETTINGS, Players, Settings
from gm.store.unpacking import unpacked
from tests.fuzz.documents import Documents, as_text
from tests.fuzz.samples import players_sample, settings_sample, turn_sample
from tests.mail.shapes.pieces import SAMPLES as LETTERS
from tests.mail.test_any_bytes import checked
from tests.medieval.order_reading import gallery_world
from tests.medieval.testland import REALMS, atlas, rules

ROOT = Path(__file__).parents[2]
FILE = "file.yaml"
GAME = "minsk"
BOARD = GameData(rules(), atlas())
# one of so many order files that can be read is tried out as ``pbem check`` does, which takes longest
TRIED = 16

Target = Callable[[bytes], None]


def said(error: Exception) -> None:
    """A refusal has words."""
    assert str(error)


def check_findings(findings: tuple[Diagnostic, ...], data: bytes) -> None:
    """Every finding says what, and where inside the file."""
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for finding in findings:
        assert finding.file == FILE
        assert finding.code
        assert finding.message
        assert 0 <= finding.line <= lines, finding
        assert 0 <= finding.column <= len(data) + 1, finding
        assert finding.render().startswith(FILE)


def read(data: bytes) -> OrderFile:
    """An order file as it is read for the world of the gallery of errors, whoever sent it."""
    return SPEC.read_orders(BOARD, gallery_world(), data, FILE, game="test", realm=None, key=None)


def orders(data: bytes) -> None:
    """The order file of a realm, whoever says that he wrote it; some of those that are read are tried out."""
    reading = read(data)
    assert reading == read(data)
    check_findings(reading.diagnostics, data)
    assert reading.sheet is not None or reading.errors
    if reading.sheet is not None and hashlib.sha256(data).digest()[0] % TRIED == 0:
        source = Source(FILE, data.decode("utf-8", "replace"))
        tried = SPEC.preview(BOARD, gallery_world(), reading.realm, reading.sheet, source)
        check_findings(tried.findings, data)
        json.dumps(tried.figures)


def yaml(data: bytes) -> None:
    """The core's YAML."""
    try:
        node = read_yaml(data, FILE)
    except SourceError as error:
        check_findings(error.diagnostics, data)
        return
    assert repr(plain_data(node)) == repr(plain_data(read_yaml(data, FILE)))


def results(data: bytes) -> None:
    """A results file: of a player's own, or of one who wants to be believed."""
    try:
        findings = SPEC.results_data(data, FILE)
    except ValueError:
        return
    try:
        SPEC.results_state(data, FILE)
    except ValueError as error:
        said(error)
    try:
        for check in check_results(findings, None, data, data):
            assert check.what
    except StoreError as error:
        said(error)


def letter(data: bytes) -> None:
    """A letter in the mailbox."""
    parsed = read_letter(data, trusted="mx.example.org")
    checked(parsed)
    assert parsed == read_letter(data, trusted="mx.example.org")


def archive(data: bytes) -> None:
    """An archive of a game; the bytes are taken as the archive, and as the list in one."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as made:
        made.writestr(LIST, data)
        made.writestr("game.yaml", "schema: 1")
    for data_read in (data, whole.getvalue()):
        try:
            with unpacked(io.BytesIO(data_read)) as (unpacked_files, _):
                files = list(unpacked_files)
        except StoreError as error:
            said(error)
            continue
        assert all(not name.startswith("/") and ".." not in name for name in files)


def folder(data: bytes) -> None:
    """The files of a game folder that came out of an archive; the first byte says which one the rest is."""
    kind = (data[0] if data else 0) % 6
    content = data[1:]
    path = Path(FILE)
    try:
        if kind == 0:
            table_of(content, path, SETTINGS, Settings)
        elif kind == 1:
            table_of(content, path, PLAYERS, Players)
        elif kind == 2:
            SPEC.state(SPEC.snapshot.current(read_snapshot(content.decode("utf-8", "replace"), FILE), FILE))
        elif kind == 3:
            for record in read_lines(content.decode("utf-8", "replace"), FILE):
                SPEC.event(record)
        elif kind == 4:
            RECEIPTS.current(read_snapshot(content.decode("utf-8", "replace"), FILE), FILE)
        else:
            _journal(content)
    except (StoreError, SourceError, ValueError) as error:
        said(error)


def _journal(content: bytes) -> None:
    class Given(type(Path())):  # type: ignore[misc]
        """A path to a file that has this content."""

        def read_bytes(self) -> bytes:
            return content

    Journal(Given(FILE)).entries  # noqa: B018 - reading is what is tried


TARGETS: Mapping[str, Target] = {
    target.__name__: target for target in (orders, yaml, results, letter, archive, folder)
}


# -- what to begin from --------------------------------------------------------------------------------------


def corpus(name: str) -> list[bytes]:
    """Real inputs of a target, good and bad."""
    return [data for data in _CORPORA[name]() if len(data) <= 200_000]


def _files(*paths: Path, pattern: str) -> list[bytes]:
    all_paths = chain.from_iterable(sorted(folder.rglob(pattern)) for folder in paths)
    return [path.read_bytes() for path in all_paths]


def _orders() -> list[bytes]:
    files = _files(ROOT / "tests/errors/medieval", resource("examples", "medieval"), pattern="*.yaml")
    schemas = {code: json.loads(SPEC.realm_schema(BOARD, gallery_world(), "test", code)) for code in REALMS}
    random = Random(GAME)  # noqa: S311 - the same documents each time
    drawn = []
    for code in (*sorted(REALMS), "ENG", "ENG", "ENG"):
        own = list(chain.from_iterable((unit.id, unit.place) for unit in gallery_world().of_realm(code)))
        document = Documents(random, schemas[code], ("A50", "F50", "1", "2"), own).document()
        drawn.append(as_text({**document, "key": "x"}).encode())
    return [*_templates(), *drawn, *files, *(_addressed(data) for data in files)]


def _templates() -> list[bytes]:
    from gm.games.medieval.orders.template import TemplateHead, orders_template

    about = {"rules": BOARD.rules, "atlas": BOARD.board, "head": TemplateHead("test", 5, "x")}
    return [orders_template(gallery_world(), code, **about).encode() for code in sorted(REALMS)]


def _addressed(data: bytes) -> bytes:
    """The same file for the gallery's game and turn, so that the whole of it is read."""
    head = {b"game": b"test", b"turn": b"5", b"realm": b"ENG"}
    lines = data.split(b"\n")
    for at, line in enumerate(lines):
        word, colon, _ = line.partition(b":")
        if colon and word in head:
            lines[at] = word + b": " + head[word]
    return b"\n".join(lines)


def _results() -> list[bytes]:
    return list(turn_sample().values()) + _files(resource("rules", "medieval"), pattern="*.yaml")


def _letters() -> list[bytes]:
    return _files(LETTERS, pattern="*.eml")


def _archives() -> list[bytes]:
    archives = []
    for keys in (True, False):
        content = {"game.yaml": b"schema: 1\n", "players.yaml": b"schema: 1\nplayers: []\n"}
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
        listed = json.dumps({"schema": 1, "keys": keys, "turn": 0, "files": hashes}).encode()
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED if keys else zipfile.ZIP_STORED) as made:
            for name, data in {LIST: listed, **content}.items():
                made.writestr(
                    zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED if keys else zipfile.ZIP_STORED
                )
        archives += [whole.getvalue(), listed]
    return archives


def _folders() -> list[bytes]:
    samples = turn_sample()
    log = samples["log.jsonl"]
    state = samples["state.json"]
    journal = b'{"did": "turn", "chain": "00"}\n'
    receipts = b'{"schema": 1, "receipts": []}'
    kinds = (settings_sample(), players_sample(), state, log, receipts, journal)
    # a log has most to tell line by line
    lines = [b"\x03" + line for line in sorted(set(log.split(b"\n")))[:200]]
    return [bytes([kind]) + data for kind, data in enumerate(kinds)] + lines


_CORPORA: Mapping[str, Callable[[], list[bytes]]] = {
    "orders": _orders,
    "yaml": lambda: _orders() + _files(resource("maps", "medieval") / "minsk", pattern="*.yaml"),
    "results": _results,
    "letter": _letters,
    "archive": _archives,
    "folder": _folders,
}
