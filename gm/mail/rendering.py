"""Our letters: their texts from templates, in plain text and as HTML made out of it, and their bytes.

The first line of a template is the subject. Paragraphs are separated by empty lines, lines that begin with
``* `` are a list, and lines that begin with two spaces stay as they are. A player's text has become one
printable line before it comes here. The same message is the same bytes in every run: nothing in it is random.
"""

import io
import re
import textwrap
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, formataddr
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from gm.core.diagnostics import printable
from gm.core.orders.keys import NO_KEY
from gm.mail.outbox import Enclosure, Outgoing, message_id
from gm.mail.parse import OWN_HEADER, one_line
from gm.mail.settings import WAYS, Enclosed, MailSettings
from gm.store import StoreError
from gm.store.deadlines import Deadline
from gm.store.folder import ROLLS_FILE
from gm.store.formats import quoted, yaml_list
from gm.store.places import TurnPath
from gm.text.languages import ENGLISH, SHARED, Translate
from gm.text.pages import environment

_WIDTH = 76  # characters in a line of plain text

# ("text", a paragraph), ("list", its items) or ("plain", lines that stay as they are)
Block = tuple[str, Any]


def filled(template: str, values: Mapping[str, Any], game: str = SHARED, language: str = ENGLISH) -> str:
    """Return a file of ``templates/mail`` filled with these values, in a language of a game's catalogues."""
    return environment(game, language, markup=False).get_template(f"mail/{template}").render(values)


def rendered(template: str, values: Mapping[str, Any], *wording: str) -> tuple[str, str, str]:
    """Return (subject, plain text, HTML) of a letter, with the common end of all letters.

    ``template``: its name in ``templates/mail``, without ``.txt``; ``wording``: the game and the language of
    the catalogue; by default English. Raises ``jinja2.UndefinedError`` for a missing value.
    """
    subject, _, text = filled(f"{template}.txt", values, *wording).partition("\n")
    blocks = [*_blocks(text), *_blocks(filled("closing.txt", values, *wording))]
    page_values = {"blocks": blocks, "subject": subject, "game": values["game"]}
    html = environment(*wording).get_template("mail/letter.html").render(page_values)
    return subject, "\n\n".join(map(_plain_text, blocks)) + "\n", html


def _blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a text. Several parts of preformatted lines in a row are one block."""
    parts = (part.strip("\n") for part in text.strip("\n").split("\n\n"))
    for is_preformatted, parts_in_row in groupby(parts, _is_preformatted):
        if is_preformatted:
            yield "plain", textwrap.dedent("\n\n".join(parts_in_row))
            continue
        for part in filter(None, parts_in_row):
            if part.startswith("* "):
                yield "list", tuple(" ".join(item.split()) for item in part[2:].split("\n* "))
            else:
                yield "text", " ".join(part.split())


def _is_preformatted(part: str) -> bool:
    return bool(part) and all(line.startswith("  ") or not line for line in part.split("\n"))


def _plain_text(block: Block) -> str:
    """Return a block as plain text."""
    kind, content = block
    if kind == "plain":
        return textwrap.indent(content, "  ")
    # no word is broken: it may be a file's name or an address
    fill = partial(textwrap.fill, width=_WIDTH, break_long_words=False, break_on_hyphens=False)
    if kind == "text":
        return fill(content)
    return "\n".join(fill(item, initial_indent="* ", subsequent_indent="  ") for item in content)


LANGUAGE = "Content-Language"
ANSWERS = frozenset({"receipt", "advice", "answer", "report", "confirm", "stranger"})
"""Kinds of letters that RFC 3834 calls auto-replied; all others are auto-generated."""

_SUBJECT_LENGTH = 400  # enough for the longest request that is to be confirmed, and the token behind it
_LINE_LENGTH = 900  # characters of a header line that stays whole; servers accept up to 998
_WHOLE = ("subject", "message-id", "in-reply-to", "references", "list-unsubscribe")


class _Policy(EmailPolicy):
    """The library's policy for SMTP, except that some header lines are never folded.

    The library would encode a long id or address, and mail programs would not recognise it.
    """

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return a header line as bytes: on one line if its name is in ``_WHOLE`` and it is plain ASCII."""
        text = str(value)
        if name.lower() in _WHOLE and text.isascii() and text.isprintable():
            return f"{name}: {text}\r\n".encode("ascii")
        return super().fold_binary(name, value)


# bytes below 128 alone: every server accepts them, and none has to rewrite the message
_SMTP = _Policy(linesep="\r\n", cte_type="7bit")


def message_bytes(letter: Outgoing, entry_id: str, settings: MailSettings, game: str, now: datetime) -> bytes:
    """Return the bytes of a message; ``entry_id``: its id in the outbox.

    Raises ``ValueError`` for an address that a header cannot hold.
    """
    message = EmailMessage(policy=_SMTP)
    message["From"] = formataddr((printable(settings.sender_name), settings.sender))
    message["To"] = letter.to
    message["Subject"] = one_line(letter.subject, _SUBJECT_LENGTH)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{message_id(entry_id, settings.domain)}>"
    message["Auto-Submitted"] = "auto-replied" if letter.kind in ANSWERS else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message[OWN_HEADER] = one_line(game, _SUBJECT_LENGTH)
    if letter.answers:
        message["In-Reply-To"] = message["References"] = f"<{letter.answers}>"
    for name, value in letter.headers.items():
        message[name] = one_line(value, _LINE_LENGTH)
    message.set_content(letter.text)
    if letter.html:
        message.add_alternative(letter.html, subtype="html")
    for enclosure in letter.enclosures:
        _enclose(message, enclosure)
    if LANGUAGE in letter.headers:  # set again: ``set_content`` has removed all headers ``Content-...``
        message[LANGUAGE] = letter.headers[LANGUAGE]
    # in no part can a line be mistaken for a boundary: encoded text has no ``=_``, other text not this id
    for index, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_gm.{entry_id}.{index}")
    return message.as_bytes()


def _enclose(message: EmailMessage, enclosure: Enclosure) -> None:
    """Attach a file to a message."""
    kind, *parameters = (part.strip() for part in enclosure.kind.split(";"))
    maintype, _, subtype = kind.partition("/")
    if maintype != "text":
        message.add_attachment(enclosure.data, maintype=maintype, subtype=subtype, filename=enclosure.name)
        return
    # the library takes text for a text part, and adds its encoding to the parameters
    text = enclosure.data.decode("utf-8")
    params: dict[str, str] = {}
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        params[name] = value
    message.add_attachment(text, subtype=subtype, filename=enclosure.name, params=params)


# -- enclosures ----------------------------------------------------------------------------------------------
# Many servers accept no large letters: enclosures that are large together are packed into one .zip. (A page
# that unpacks itself would be smaller, too, but mail filters take it for malware.)

# takes the name of a turn's file (``results/ENG.html``); returns its content, None if there is no such file
Find = Callable[[str], bytes | None]

HANDBOOK = "handbook.html"
# the time of every packed file: the same letter is the same bytes in every run
_EPOCH = (1980, 1, 1, 0, 0, 0)
_FILE_MODE = 0o600 << 16  # where a .zip has the rights of a file: its owner may read and write it


def file_word(name: str) -> str:
    """Return a turn's name (``turn 4``) in the form for names of files: ``turn-04``."""
    word, _blank, number = name.partition(" ")
    return f"{word}-{number.zfill(2)}"


def files_of(folder: TurnPath) -> Find:
    """Return a function that returns a file's content by its name in a turn's folder, None without a file."""
    return lambda name: (folder / name).read_bytes() if (folder / name).is_file() else None


def turn_files(
    realm: str, word: str, find: Find, limits: Enclosed, *, key: str = "", rolls: bool = True
) -> tuple[Enclosure, ...]:
    """Return a realm's report of a turn, its data for programs, its letters, and the turn's public dice.

    A file that does not exist is left out, and so are the dice without ``rolls`` or beyond their limit.
    ``word``: the turn in file names. The realm's ``key`` is removed, so that nobody who gets the forwarded
    report can give orders with it.
    """
    page = (f"results/{realm}.html", f"{realm}-{word}.html", "text/html")
    data = (f"results/{realm}.yaml", f"{realm}-{word}.results.yaml", "text/plain")
    letters = (f"letters/{realm}.yaml", f"{realm}-{word}.letters.yaml", "text/plain")
    files = _enclosures(find, page, data, letters)
    if key:
        files = tuple(file.evolve(data=file.data.replace(key.encode(), NO_KEY.encode())) for file in files)
    # not as text, which mail programs may wrap: ``pbem verify`` needs the same bytes
    dice = _enclosures(find, (ROLLS_FILE, f"{word}.dice.jsonl", "application/x-ndjson")) if rolls else ()
    return (*files, *(file for file in dice if len(file.data) <= limits.rolls_limit))


def template_files(realm: str, word: str, find: Find) -> tuple[Enclosure, ...]:
    """Return the template for a realm's next orders and its JSON schema, under the name that it refers to.

    It is empty if the realm gives no more orders. ``word``: the turn in file names.
    """
    template = (f"next/{realm}.yaml", f"{realm}-{word}.orders.yaml", "text/plain")
    schema = (f"next/{realm}.schema.json", f"{realm}.schema.json", "application/json")
    return _enclosures(find, template, schema)


def _enclosures(find: Find, *wanted: tuple[str, str, str]) -> tuple[Enclosure, ...]:
    """Return those enclosures that there are, of (name of the stored file, name for the reader, kind)."""
    enclosures = []
    for stored, name, kind in wanted:
        data = find(stored)
        if data is not None:
            enclosures.append(Enclosure(name, kind, data))
    return tuple(enclosures)


def packed(name: str, files: Iterable[Enclosure], limits: Enclosed) -> tuple[Enclosure, ...]:
    """Return the files unchanged, or in one ``.zip`` of that ``name`` if they are large together."""
    files = tuple(files)
    if sum(len(file.data) for file in files) <= limits.zip_above:
        return files
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = _FILE_MODE
            archive.writestr(entry, file.data)
    return (Enclosure(f"{name}.zip", "application/zip", buffer.getvalue()),)


_CALENDAR_LINE = 73  # bytes of a line before it has to be folded
_QUOTED = re.compile(r"[\\;,]")
_FIRST_SEQUENCE = 50_000_000  # higher than the number in entries of earlier versions, the time in minutes


def deadline_calendar(
    due: Deadline,
    game: str,
    turn: int,
    name: str,
    now: datetime,
    organizer: str,
    changes: int,
    translate: Translate,
) -> Enclosure:
    """Return a calendar entry that ends at a turn's deadline and reminds of it a day before.

    It replaces an older entry of the same turn. ``name``: of the turn, in words; ``changes``: the number of
    changes of the deadline so far, by which programs recognise the newer entry; ``organizer``: the game's
    address. While the game is on hold the entry is cancelled (RFC 5546).
    """
    end = due.of_turn(turn)
    moments = {"now": now, "start": end - timedelta(minutes=30), "end": end}
    method = "CANCEL" if due.hold else "PUBLISH"
    values = {
        "method": method,
        "turn": turn,
        "game": calendar_text(game),
        "name": calendar_text(name),
        "sequence": _FIRST_SEQUENCE + changes,
        "organizer": organizer,
        "_": translate,
        **{moment_name: utc_stamp(moment) for moment_name, moment in moments.items()},
    }
    data = calendar_bytes(filled("deadline.ics", values))
    return Enclosure(f"deadline-{turn:02}.ics", f"text/calendar; method={method}", data)


def calendar_text(text: str) -> str:
    """Return a text escaped for a calendar (RFC 5545)."""
    return _QUOTED.sub(r"\\\g<0>", text)


def utc_stamp(moment: datetime) -> str:
    """Return a moment in a calendar's format (RFC 5545)."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def calendar_bytes(text: str) -> bytes:
    """Return a calendar's text in the form of the standard: long lines folded, lines ended by CR and LF."""
    folded = ""
    for line in text.splitlines():
        length = 0  # bytes since the last fold
        for character in line:
            size = len(character.encode())
            if length + size > _CALENDAR_LINE:
                folded += "\r\n "
                length = 0
            folded += character
            length += size
        folded += "\r\n"
    return folded.encode()


def mail_text(options: Mapping[str, Any]) -> str:
    """Return the text of ``mail.yaml``, from the options of ``pbem mail setup`` by their names.

    Raises ``StoreError`` for an invalid port.
    """
    values = dict(options)
    for name in ("password_file", "ca_file"):  # absolute: commands are called in other folders, too
        values[name] = str(Path(options[name]).expanduser().resolve()) if options[name] else ""
    for server in ("imap", "smtp"):
        values[f"{server}_host"], _, port = (options[server] or "").partition(":")
        if port and not (port.isdigit() and int(port) < 65536):
            raise StoreError(f"{options[server]!r}: no port number follows the colon.")
        values[f"{server}_port"] = int(port or 0)
    # the command has seen to it that one of these options is given
    kind = next(kind for kind in ("imap", "maildir", "mbox", "files") if options[kind] is not None)
    values |= {"kind": kind, "path": str(Path(options[kind]).resolve())}
    values |= {
        "gate": str(options["gate"]).lower(),
        "ways": [(way, values[way]) for way in WAYS if values[way]],
    }
    gms = yaml_list(options["gm_addresses"] or (options["sender"],))
    return filled("settings.yaml.txt", {**values, "gm": gms, "quoted": quoted})
