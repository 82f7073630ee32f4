"""The Jinja2 environment of all pages, the filters of templates, and the style sheets and scripts of pages.

Everything is escaped, and a missing value is an error. Jinja2 is imported with the first page, because most
commands make none. Style sheets and scripts are inlined, with a Content-Security-Policy that names each
script by its SHA-256, so that a browser runs nothing else even if an escape were forgotten.
"""

import hashlib
import os
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gm.core.codec import plain_text
from gm.core.diagnostics import NUMBER_WORDS, fold, said
from gm.core.values import Record
from gm.resources import program_folders, template_text
from gm.text.languages import ENGLISH, SHARED, Translate, translator
from gm.text.names import the

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from markupsafe import Markup

Keep = Callable[[str, str, Callable[[], bytes]], bytes]
"""Called with (name, fingerprint of what it is made from, make): returns what is stored under the name for
this fingerprint; else the result of ``make``, which it stores."""
_compiled_in: list[Path] = []  # the folder of compiled templates, if there is one
_kept_by: list[Keep] = []  # the function that stores texts, if there is one


def keep_compiled(folder: Path, keep: Keep) -> None:
    """Store compiled templates in a folder from now on, and texts with ``keep``, for later processes.

    To make them all anew takes as long as to play a small turn.
    """
    _compiled_in[:] = [folder]
    _kept_by[:] = [keep]


@cache
def environment(game: str = SHARED, language: str = ENGLISH, *, markup: bool = True) -> "Environment":
    """Return the environment over all templates, translated into a language by a game's catalogue.

    ``markup``: templates are HTML, so that values are escaped; false for plain text. An undefined name raises
    ``jinja2.UndefinedError``.
    """
    import jinja2

    from gm.text.engine import CompiledTemplates, Engine

    translate = translator(game, language)
    engine = Engine(
        translate,
        loader=jinja2.FunctionLoader(template_text),
        autoescape=markup,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        cache_size=-1,  # unlimited: there are few templates, and a limited cache is slower
        bytecode_cache=CompiledTemplates(_compiled_in[0], language, _program_files())
        if _compiled_in
        else None,
    )
    nothing = translate("none")
    last = translate("and")
    engine.filters.update(
        {function.__name__: function for function in _FILTERS},
        listed=lambda words, nothing=nothing, last=last: listed(words, nothing, last),
        spelled=partial(spelled, translate=translate),
        the=lambda name: said(the(name), translate),
    )
    base_style = partial(inlined_files, ("style.css",), game=game, language=language)
    # ``cached`` makes a macro that keeps its results
    engine.globals.update(
        _=translate, language=language, said=said, base_style=base_style, cached=lru_cache(4096)
    )
    return engine


def render(template: str, values: Mapping[str, Any], language: str = ENGLISH) -> str:
    """Return the page that a template makes of values. Raises ``jinja2.UndefinedError`` for a missing one."""
    return page_template(template, language).render(values)


def page_template(name: str, language: str) -> "Template":
    """Return a template, translated into a language by the catalogue of the game whose folder it is in."""
    if language == ENGLISH:
        return environment().get_template(name)
    game = name.partition("/")[0]
    return environment(game, language).get_template(name)


def cached_text(name: str, made_from: str, make: Callable[[], str]) -> str:
    """Return the text that ``make`` makes, from the store if there is one (:func:`keep_compiled`).

    It is stored under ``name``. A stored text holds for the same fingerprint ``made_from`` and the same
    files of the program. With an empty fingerprint it is made each time.
    """
    if not (made_from and _kept_by):
        return make()
    return _kept_by[0](name, f"{made_from} {_program_files()}", lambda: make().encode()).decode()


@cache
def _program_files() -> str:
    """Return a fingerprint of code, templates and texts, made of their sizes and times of change."""
    states = []
    waiting = [*map(str, program_folders())]
    for folder in waiting:
        for entry in os.scandir(folder):
            if entry.is_dir():
                waiting.append(entry.path)
            elif not entry.name.endswith(".pyc"):
                states.append(f"{entry.path} {entry.stat().st_size} {entry.stat().st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(states)).encode()).hexdigest()


def fragment(template: str, values: Mapping[str, Any], language: str = ENGLISH) -> "Markup":
    """Return a part of a page that a template makes of values, marked as safe HTML."""
    return ready_markup(page_template(template, language).render(values))


def ready_markup(html: str) -> "Markup":
    """Return HTML that the program has made and escaped (a map drawing, a part of a page), marked as safe."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - made by the program, not by a player


def script_json(data: Any) -> "Markup":
    """Return ``data`` as JSON that is safe inside a script element, whatever players wrote into it."""
    text = msgspec.json.encode(data, enc_hook=plain_text).decode()
    # what could end a script element, begin a comment or a character reference in it, or break a line of
    # script
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return ready_markup(text)


_LINKED = re.compile(r'#rule-([A-Z]\d+(?:\.\d+)?)(?=[" >])')


def linked_clauses(html: str) -> set[str]:
    """Return the ids of the clauses that a part of a page links to."""
    return set(_LINKED.findall(html))


def deflated(text: str, level: int = 6) -> "Markup":
    """Return a text deflated, in base64, for scripts of pages that inflate it (``unpacked`` in dom.js)."""
    return ready_markup(b64encode(zlib.compress(text.encode(), level)).decode("ascii"))


@lru_cache(4096)
def gold(amount: Decimal | int) -> str:
    """Return an amount in gold for people: without cents if they are 0, with a true minus sign."""
    cents = Decimal(amount)
    digits = f"{abs(cents):,.2f}".removesuffix(".00")
    return f"−{digits}" if cents < 0 else digits


def signed(amount: Decimal | int) -> str:
    """Return an amount in gold with a plus sign for a gain."""
    return f"+{gold(amount)}" if amount > 0 else gold(amount)


@lru_cache(4096)
def figure(amount: Decimal | int) -> str:
    """Return a figure other than gold, with the digits that it needs: ``1,176.5``."""
    return f"{Decimal(amount).normalize():,f}".replace("-", "−")


def percent(modifier: int) -> str:
    """Return a modifier in percent with its sign: ``+45%``, ``−30%``."""
    return f"{'−' if modifier < 0 else '+'}{abs(modifier)}%"


def listed(words: list[str] | tuple[str, ...], nothing: str = "none", last: str = "and") -> str:
    """Return ``a, b and c``, with the word ``last`` before the last one; ``nothing`` for an empty list."""
    if len(words) < 2:
        return words[0] if words else nothing
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, singular: str, plural: str = "") -> str:
    """Return a count with its noun, ``1 battle``, ``2 battles``; without a ``plural``, that has an s."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


SPELLED = NUMBER_WORDS[1:10]  # the words for 1 to 9


def spelled(number: int | str, translate: Translate = str) -> str:
    """Return a number from one to nine as a word, any other in digits."""
    digits = str(number)
    is_small = len(digits) == 1 and digits.isascii() and digits > "0"
    return translate(SPELLED[int(digits) - 1]) if is_small and digits.isdigit() else digits


def aligned(rows: Sequence[Sequence[str]], left: int | Sequence[int] = 1) -> list[str]:
    """Return rows of cells as lines, with the columns aligned; empty columns are left out.

    ``left``: the columns aligned to the left, by their indexes, or how many of the first; others are aligned
    to the right.
    """
    left_columns = range(left) if isinstance(left, int) else left
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def line(row: Sequence[str]) -> str:
        """Return one row as a line, without trailing spaces."""
        cells = enumerate(zip(row, widths, strict=True))
        padded = (
            cell.ljust(width) if at in left_columns else cell.rjust(width)
            for at, (cell, width) in cells
            if width
        )
        return "  ".join(padded).rstrip()

    return list(map(line, rows))


@lru_cache(4096)
def slug(name: str) -> str:
    """Return a name as an anchor: folded, with a hyphen for each space.

    Any other character that is no ASCII letter or digit becomes its hexadecimal number, with two hyphens
    before it and one behind.
    """
    return re.sub("[^A-Za-z0-9]", lambda odd: "-" if odd[0] == " " else f"--{ord(odd[0]):x}-", fold(name))


def capitalised(text: str) -> str:
    """Return the text with its first letter in upper case, the rest unchanged."""
    return text[:1].upper() + text[1:]


def cell_labels(labels: Sequence[str], first: int, last: int, start: int = 2) -> str:
    """Return the ``style`` attribute of a table of the classes ``cards`` and ``led``.

    On a narrow screen the cells of column ``start`` have the first of the ``labels``, and so on; the columns
    from ``first`` to ``last`` are numbers. Columns count from 1.
    """
    properties = []
    for column, label in enumerate(labels, start):
        quotable = label.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
        properties.append(f"--l{column}:'{quotable}'")
    properties += [f"--a{column}:right" for column in range(first, last + 1)]
    return ";".join(properties)


_FILTERS = (gold, signed, percent, figure, listed, counted, capitalised, slug, cell_labels)


class Inlined(Record):
    """The style sheets and scripts of a page, to be inlined in it."""

    styles: "Markup"  # all in one text
    scripts: "tuple[Markup, ...]"
    policy: "Markup"  # the sources of ``script-src`` in the page's Content-Security-Policy


@cache
def inlined_files(
    styles: tuple[str, ...], scripts: tuple[str, ...] = (), game: str = SHARED, language: str = ENGLISH
) -> Inlined:
    """Return files below ``templates/``, by name, to be inlined in a page of a game and language.

    Raises ``ValueError`` for a file whose text would end the element that it is in.
    """
    translate = translator(game, language)

    def read(names: tuple[str, ...], end: str) -> list[str]:
        """Return the text of each file; ``end``: the beginning of the tag that none of them may contain."""
        if not names:
            return []
        label = f"{game} {language} {' '.join(names)}"
        # the texts depend on the label and on the program's files, which ``cached_text`` watches
        text = cached_text(
            label, made_from=label, make=lambda: "\0".join(_read(name, end, translate) for name in names)
        )
        return text.split("\0")

    style = read(styles, "</style")
    texts = read(scripts, "</script")
    return Inlined(
        ready_markup("\n".join(style)), tuple(map(ready_markup, texts)), ready_markup(policy_of(texts))
    )


def policy_of(scripts: Sequence[str]) -> str:
    """Return the sources of ``script-src`` that allow these scripts and no other."""
    digests = (b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii") for text in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"


def _read(name: str, end: str, translate: Translate) -> str:
    """Return a script or style sheet, translated and minified.

    Raises ``FileNotFoundError`` if there is none of this name, and ``ValueError`` if it contains ``end``, the
    beginning of the tag that ends its element, or a comment mark of HTML.
    """
    from gm.text.localised import localised_script  # here, as it is needed only where nothing is stored

    source = template_text(name)
    if source is None:
        raise FileNotFoundError(f"there is no template {name}")
    text = minified(localised_script(source[0], translate), name)  # (text, path, ...): see template_text
    # after a comment mark a browser may not take "</script" for the end of the script
    if end in text.lower() or "<!--" in text:
        raise ValueError(f"{name} has {end} or a comment mark of HTML in it")
    return text


def allowing(page: bytes, scripts: Inlined) -> bytes:
    """Return a page whose Content-Security-Policy allows these scripts besides its own."""
    head, title, rest = page.partition(b"<title>")  # the policy is above it
    head = head.replace(b"script-src 'none'", b"script-src", 1)  # ``'none'`` would have to stand alone
    head = head.replace(b"script-src", f"script-src {scripts.policy}".encode(), 1)
    return head + title + rest


_TEMPLATE = re.compile(r"`((?:[^`\\]|\\.)*)`")  # a template literal of JavaScript


def minified(text: str, name: str) -> str:
    """Return a script or style sheet without indentation and comments. ``name``: its file.

    Raises ``ValueError`` for a template literal within another, which the minifier does not understand.
    """
    import rcssmin
    import rjsmin

    if name.endswith(".css"):
        return str(rcssmin.cssmin(text))
    script = str(rjsmin.jsmin(text))
    for literal in _TEMPLATE.findall(script):
        # if an expression ``${...}`` has another literal in it, the match ends where that begins
        _, opened, rest = literal.rpartition("${")
        if opened and "}" not in rest:
            raise ValueError(f"{name} has a template literal within another")
    return script
