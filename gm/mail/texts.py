"""Texts as they come by mail: their character sets, and the orders that a player has written into the mail itself.

Everything here goes through a text line by line, once.
"""

from __future__ import annotations

import codecs
import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from gm.mail.header import known_charset

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# these use bytes that are good UTF-8 too, so that only the mail's word tells them from it
_SEVEN_BITS = ("utf-7", "hz")

_ORDERS = re.compile(r"([ \t]*)orders[ \t]*:[ \t]*['\"“”]?\d", re.IGNORECASE)
_PLAIN_HEAD = tuple(re.compile(rf"[ \t]*{word}[ \t]*:[ \t]*\S", re.IGNORECASE) for word in ("game", "turn", "player"))
"""The head of an order file whose game has one format only: these three, in any order, and the key if there is one."""
_SEARCHED = 20_000
_HEAD_LINES = 5
_BLOCKS = 20
"""So many order files between fences are taken out of a text; fewer are looked at."""
_SENT_ON = 5
"""How often a letter may have been sent on, each time with a line that says so."""
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*[\w./+-]*[ \t]*$")
_SIGNATURE = re.compile(
    r"-- ?$|--=20$|[-_=*]{3,}\s*$|"
    r"(sent|gesendet|envoyé|enviado|inviato|verzonden|verstuurd|wysłane|odesláno|skickat|sendt|отправлено|надіслано)"
    r"\s+(from|via|with|von|mit|de|depuis|desde|da|van|vanaf|z|från|fra|с|з)\s\S.{0,60}$|get outlook for\b.{0,80}$|"
    r"von mein\w+ \S.{0,40} gesendet\.?$|"
    r"((best|kind|kindest|warm|with best) (regards|wishes)|regards|best|cheers|thanks|thank you|(mit )?"
    r"(freundliche[nm]?|viele|liebe|beste) grü(ß|ss)en?|mfg|cordialement|saludos|saluti|pozdrawiam|s pozdravem|"
    r"с уважением|з павагай)\s*[,.:!]*$",
    re.IGNORECASE,
)
"""What ends the text that somebody wrote: a line of signs, a telephone's remark about itself, a greeting."""
_KEY_LINE = re.compile(r"[\w'\"-]{1,60}[ \t]*:(\s|$)")
_CARD_LINE = re.compile(
    r"(?i:tel|telefon|telephone|phone|mobile|mob|handy|cell|fax|e-?mail|mail|web|website|www|https?|skype|office|address|"
    r"ps|disclaimer|note|notice|confidentiality|important|warning|hinweis|wichtig)\b[ \t]*:|"
    r"[A-Z][\w'-]{0,40}[ \t]*:[ \t]+(?![\[{\"'])\S+\s+\S+\s+\S"
)
"""A line of a signature that looks like one of an order file: ``Tel: +49 ...``, ``Disclaimer: This mail ...``."""
_CURLY = re.compile(r"(?m)([:\[{,-][ \t]+|[\[{,])[“”„]([^“”„\"\n]{0,500})[“”][ \t]*(?=[,\]}\n]|$)")
_CURLY_SINGLE = re.compile(r"(?m)([:\[{,-][ \t]+|[\[{,])[‘’‚]([^‘’‚'\n]{0,500})[‘’][ \t]*(?=[,\]}\n]|$)")

# what programs write above a letter that is answered, and above one that is sent on
_ORIGINAL = re.compile(
    r"\s*-{2,}\s*(original message|ursprüngliche nachricht|original-?nachricht|originalnachricht|message d.origine|"
    r"mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oprindelig meddelelse|"
    r"ursprungligt meddelande|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|"
    r"eredeti üzenet|исходное сообщение|оригинальное сообщение|вихідне повідомлення|reply message)\s*-{2,}\s*$",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"\s*(-{2,}\s*)?(begin forwarded message|forwarded message|forwarded by|anfang der weitergeleiteten nachricht|"
    r"weitergeleitete nachricht|début du message (transféré|réexpédié)|message transféré|mensaje reenviado|"
    r"mensagem encaminhada|messaggio inoltrato|inizio messaggio inoltrato|doorgestuurd bericht|"
    r"vidarebefordrat meddelande|wiadomość przekazana|treść przekazanej wiadomości|přeposlaná zpráva|"
    r"továbbított üzenet|пересылаемое сообщение|пересланное сообщение|переслане повідомлення)\b[^\n]{0,200}"
    r"(-{2,}|:)\s*$",
    re.IGNORECASE,
)
_WROTE = re.compile(
    r"(wrote|writes|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|kirjoitti|napisała?|napsala?|napísala?|"
    r"írta|a scris|yazdı|написала?|пишет|писала?|пише|напісаў|напісала|έγραψε)\b[^\n]{0,120}:\s*$",
    re.IGNORECASE,
)
_WROTE_FROM = re.compile(r"(on|am|le|el|il|em|op|den|dnia|w dniu|på|pe|dne|em)\b.*\d", re.IGNORECASE)
_STAMPED = re.compile(
    r"(?=.{0,400}\d)[^\s>].{0,300}<[^<>@\s]{1,64}@[^<>\s]{1,250}>"
    r"(\s*:|,?(\s+(on|am|le|el))?\s+\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}(:\d{2})?(\s?[ap]m)?:?)\s*$",
    re.IGNORECASE,
)
"""``2026-01-04 21:15 GMT+01:00 GM <gm@example.org>:``, ``GM <gm@example.org> on 04/01/2026 21:15``."""
_WROTE_DASHED = re.compile(
    r"\s*-{2,}.{0,200}\b(wrote|schrieb|a écrit|escribió|napisał|написал)\s*-{2,}\s*$", re.IGNORECASE
)
_FROM = re.compile(r"\*?(from|von|de|da|van|od|от|від|fra|från|lähettäjä|feladó)\s?:\*?\s\S.*", re.IGNORECASE)
_SENT = re.compile(
    r"\*?(sent|date|gesendet|datum|envoyé|enviado( el)?|fecha|data|inviato|verzonden|wysłano|odesláno|отправлено|дата|"
    r"надіслано|sendt|skickat|to|an|à|para|a|aan|do|komu|кому|til|till|subject|betreff)\s?:\*?\s",
    re.IGNORECASE,
)
_FORWARDING = re.compile(r"\s*(\[[^\]]{1,30}\]\s*)?(fwd?|wg|tr|rv|enc|vb|doorst|pd|vs|ilt|i|пересл)\s?:", re.IGNORECASE)

_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"


def as_utf8(data: bytes, charset: str = "") -> bytes:
    """A text's bytes in UTF-8. What is UTF-8 already stays byte for byte what its player has on his disk.

    ``charset`` is what the mail calls it, and it is asked only when the bytes do not say it themselves.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, "replace").encode("utf-8", "replace")
    known = known_charset(charset) if charset else ""
    wide = known if known.startswith(("utf-16", "utf-32")) else _wide(data)
    if wide and b"\0" in data:
        return data.decode(wide, "replace").encode("utf-8", "replace")
    if known in _SEVEN_BITS or known.startswith("iso2022"):
        return data.decode(known, "replace").encode("utf-8", "replace")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return data
    for name in (known or "cp1252", "cp1252"):
        try:
            return data.decode(name).encode("utf-8", "replace")
        except ValueError:
            continue
    return data.decode("latin-1").encode()


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: every other byte of a text in any European language is zero."""
    some = data[:2000]
    half = len(some) // 2
    if half < 8:
        return ""
    if some[1::2].count(0) > half * 0.7 and not some[0::2].count(0):
        return "utf-16-le"
    return "utf-16-be" if some[0::2].count(0) > half * 0.7 and not some[1::2].count(0) else ""


def looks_like_orders(data: bytes) -> bool:
    """Whether a file has the line that order files begin with, somewhere near its top."""
    text = data[:_SEARCHED].decode("utf-8", "replace")
    return _begins([line.lstrip("\ufeff") for line in text.splitlines()]) is not None


def unsigned(text: str) -> str:
    """A text without the frame that PGP puts around what it signs; the signature is not looked at."""
    lines = text.split("\n")
    if _PGP_SIGNED not in lines:
        return text
    start = lines.index(_PGP_SIGNED) + 1
    while start < len(lines) and lines[start].strip():  # "Hash: SHA256"
        start += 1
    end = lines.index(_PGP_SIGNATURE, start) if _PGP_SIGNATURE in lines[start:] else len(lines)
    return "\n".join(line.removeprefix("- ") for line in lines[start + 1 : end])


def unflowed(text: str, *, delete_space: bool) -> str:
    """RFC 3676: long lines put together again, and the one space taken off that was put before others."""
    lines: list[list[str]] = []
    joins = False
    for line in text.split("\n"):
        plain = line[1:] if line.startswith(" ") else line
        if joins and not line.startswith(">"):
            lines[-1].append(plain)
        else:
            lines.append([plain])
        joins = plain.endswith(" ") and plain != "-- " and bool(plain.strip())
        if joins and delete_space:
            lines[-1][-1] = plain[:-1]
    return "\n".join("".join(line).rstrip() for line in lines)


def written_orders(text: str, subject: str = "") -> list[str]:
    """The order files that stand in a mail's own text: between fences, or from a line ``orders: 1`` on, or from a head
    of ``game``, ``turn`` and ``player``.

    What the mail answers or quotes is left out; what it sends on is read when the sender has written none above it.
    """
    lines = [line.replace("\xa0", " ").rstrip() for line in text.split("\n")]
    own, sent_on = _divided(lines, forwarding=_FORWARDING.match(subject) is not None)
    return _orders_in(own) or _orders_in(sent_on)


def quotes_orders(text: str) -> bool:
    """Whether orders stand in quoted lines."""
    return _begins([line.lstrip("> ") for line in text[:_SEARCHED].split("\n") if line.startswith(">")]) is not None


def _divided(lines: Sequence[str], *, forwarding: bool, depth: int = 0) -> tuple[list[str], list[str]]:
    """What the sender wrote himself, and what he sends on."""
    for number, line in enumerate(lines):
        if _FORWARDED.match(line):
            below = _without_header(lines[number + 1 :])
        elif _ORIGINAL.match(line) or _is_attribution(lines, number) or _is_header(lines, number):
            below = lines[number + 1 :] if forwarding else []
        else:
            continue
        # a letter that was sent on may answer one in its turn
        first, more = _divided(below, forwarding=False, depth=depth + 1) if below and depth < _SENT_ON else ([], [])
        return _unquoted(lines[: _above(lines, number)]), first or more
    return _unquoted(lines), []


def _without_header(lines: Sequence[str]) -> Sequence[str]:
    """A letter that was sent on, without the lines at its top that say from whom it was."""
    start = next((number for number, line in enumerate(lines) if line), len(lines))
    end = next((number for number, line in enumerate(lines[start:], start) if not line), len(lines))
    top = lines[start:end]
    is_header = any(_FROM.match(line[:400]) for line in top) and _begins(top) is None
    return lines[end:] if is_header else lines


def _unquoted(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not line.startswith(">")]


def _is_attribution(lines: Sequence[str], number: int) -> bool:
    """``On Monday, 5 January 2026, the game master wrote:``, in one line or up to three, and what else names who wrote
    what is quoted below, and when."""
    line = lines[number]
    if len(line) > 400:
        return False
    if _STAMPED.match(line) or _WROTE_DASHED.match(line):
        return True
    if not line.endswith(":") or not _WROTE.search(line):
        return False
    return any(char.isdigit() for each in lines[max(0, number - 2) : number + 1] for char in each)


def _above(lines: Sequence[str], number: int) -> int:
    """Where the attribution begins that ends in a line."""
    if not _WROTE.search(lines[number][:400]) or _WROTE_FROM.match(lines[number]):
        return number
    starts = (at for at in range(number - 1, max(-1, number - 3), -1) if _WROTE_FROM.match(lines[at][:400]))
    return next(starts, number)


def _is_header(lines: Sequence[str], number: int) -> bool:
    """The lines of a header that Outlook writes above what it answers: From, Sent, To, Subject."""
    line = lines[number]
    if len(line) > 400 or not _FROM.match(line):
        return False
    return sum(bool(_SENT.match(each[:100])) for each in lines[number + 1 : number + 5]) >= 2


def _orders_in(lines: Sequence[str]) -> list[str]:
    fenced = list(islice((block for block in _fenced(lines) if _begins(block) is not None), _BLOCKS))
    if fenced:
        return [_tidy(block) for block in fenced]
    start = _begins(lines)
    return [] if start is None else [_tidy(_ended(lines[start:]))]


def _begins(lines: Sequence[str]) -> int | None:
    """The line with which an order file begins; none when there is none.

    It is ``orders: 1``, or the first of a few lines without a gap that name game, turn and player.
    """
    for number, line in enumerate(lines):
        if _ORDERS.match(line):
            return number
        if any(word.match(line) for word in _PLAIN_HEAD):
            head = list(takewhile(_KEY_LINE.match, (each.lstrip() for each in lines[number : number + _HEAD_LINES])))
            if all(any(word.match(each) for each in head) for word in _PLAIN_HEAD):
                return number
    return None


def _fenced(lines: Sequence[str]) -> Iterator[list[str]]:
    """What stands between lines of backticks or tildes."""
    block: list[str] | None = None
    mark = ""
    for line in lines:
        match = _FENCE.match(line)
        if match and block is None:
            block, mark = [], match[1]
        elif match and block is not None and match[1].startswith(mark) and line.strip() == match[1]:
            yield block
            block = None
        elif block is not None:
            block.append(line)


def _ended(lines: Sequence[str]) -> list[str]:
    """The lines up to the signature, and without the closing words: whole paragraphs at the end that are only prose.

    Of what looks like orders nothing is dropped: it is better to hear of a line that cannot be read than to lose it.
    """
    end = next((number for number, line in enumerate(lines) if number and _SIGNATURE.match(line)), len(lines))
    kept = list(lines[:end])
    cut = len(kept)
    for number in range(len(kept) - 1, 0, -1):
        line = kept[number]
        if line and (line[0] in " \t#-" or (_KEY_LINE.match(line) and not _CARD_LINE.match(line))):
            break
        if not line:
            cut = number
    return kept[:cut]


def _tidy(lines: Sequence[str]) -> str:
    """The lines as a file: not further to the right than they need to be, and with quotes that are quotes."""
    text = textwrap.dedent("\n".join(lines)).strip("\n") + "\n"
    return _CURLY_SINGLE.sub(r"\1'\2'", _CURLY.sub(r'\1"\2"', text))
