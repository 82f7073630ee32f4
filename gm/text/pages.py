"""The Jinja2 environment of all pages: everything is escaped, a missing value is an error, and what HTML lets a writer
leave out is left out. Jinja2 is imported with the first page, because most commands make none. Also what a page carries
with it: style sheets, scripts, and a Content-Security-Policy that names each script by its SHA-256, so that a browser
runs nothing else even if an escape were forgotten."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gm.core.diagnostics import fold
from gm.core.values import Record
from gm.resources import resource
from gm.text import languages
from gm.text.languages import ENGLISH, SHARED, Translate, localised_script, localised_template, translator

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_compiled_in: list[Path] = []


def keep_compiled(folder: Path) -> None:
    """Keep compiled templates there for the next process: compiling them all takes as long as a small turn."""
    _compiled_in[:] = [folder]


@cache
def environment(game: str = SHARED, language: str = ENGLISH) -> Environment:
    """The environment over our templates, as they are said in a language by the catalogue of a game. Autoescape has no
    exception; an undefined name raises."""
    import jinja2

    translate = translator(game, language)
    made_by = [Path(__file__), Path(languages.__file__), *sorted(resource("rules").glob(f"*/locale/{language}/*/*.mo"))]
    stamp = " ".join(f"{each.st_size} {each.st_mtime_ns}" for each in map(Path.stat, made_by))

    class Generator(jinja2.compiler.CodeGenerator):
        def _output_child_pre(self, node: Any, frame: Any, finalize: Any) -> None:
            if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
                super()._output_child_pre(node, frame, finalize)
            else:
                self.write("environment.shown(")

    class Pages(jinja2.Environment):
        code_generator_class = Generator
        shown = staticmethod(_shown)

        def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
            if name and name.startswith(AS_IT_IS):
                texts = (_read(each, _END_OF[each[-3:]], translate) for each in _names(name))
                return "{% raw %}" + "\0".join(texts) + "{% endraw %}"
            source = source if translate is str else localised_template(source, name or "", translate)
            return lean_html(_SAFE.sub(r"=\1", source)) if source.startswith(_LEAN) else source

        def getattr(self, obj: Any, attribute: str) -> Any:
            if type(obj) is dict and attribute in obj and attribute not in _OF_EVERY_DICT:
                return obj[attribute]
            return super().getattr(obj, attribute)

    class Loader(jinja2.FileSystemLoader):
        def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
            if not template.startswith(AS_IT_IS):
                return super().get_source(environment, template)
            sources = [super(Loader, self).get_source(environment, each) for each in _names(template)]
            return "".join(source for source, _, _ in sources), template, lambda: True

    class Kept(jinja2.FileSystemBytecodeCache):
        def get_source_checksum(self, source: str) -> str:
            # what is done to a source when it is compiled hangs on the code that does it, and on the catalogues
            return super().get_source_checksum(f"{stamp} {source}")

        def dump_bytecode(self, bucket: Any) -> None:
            with suppress(OSError):  # a full disk: then it is compiled again next time
                super().dump_bytecode(bucket)

    made = Pages(
        loader=Loader(resource("templates")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=Kept(str(_compiled_in[0]), f"__jinja2_%s.{language}.cache") if _compiled_in else None,
    )
    nothing, last = translate("none"), translate("and")
    made.filters.update(
        {each.__name__: each for each in _FILTERS},
        listed=lambda words, nothing=nothing, last=last: listed(words, nothing, last),
    )
    made.globals.update(_=translate, language=language)
    return made


def render(template: str, values: Mapping[str, Any], language: str = ENGLISH) -> str:
    """One page. Raises ``jinja2.UndefinedError`` when the template asks for a value that is not given."""
    of = () if language == ENGLISH else (template.partition("/")[0], language)
    return environment(*of).get_template(template).render(values)


def fragment(template: str, values: Mapping[str, Any], language: str = ENGLISH) -> Markup:
    """A part of pages, rendered once and put into each of them as it is."""
    return ready_markup(render(template, values, language))


def ready_markup(html: str) -> Markup:
    """HTML that the program has made and escaped (a map drawing, a part of a page), marked as safe."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - made by the program, not by a player


AS_IT_IS = "as it is:"
"""Before names of scripts or style sheets, a + between: a template that is these, lean, zero characters between."""
_LEAN = "{# lean #}"  # how a template begins that is made lean when it is compiled, and not each time
_SAFE = re.compile(r'="([\w#-]*\{\{ [\w.]*(?:\|slug|\b(?:id|code|kind|anchor|battle)) \}\})"(?=[ >])')
"""Values that need no quotation marks whatever they are: slugs, the ids of units and clauses, codes of realms."""
_END_OF = {".js": "</script", "css": "</style"}
_OF_EVERY_DICT = frozenset(dir(dict))


def _names(template: str) -> list[str]:
    return template.removeprefix(AS_IT_IS).split("+")


@lru_cache(1 << 15)
def _escaped(text: str) -> str:
    from markupsafe import escape

    return str(escape(text))


def _shown(value: Any) -> str:
    """What a template writes for a value: as ``markupsafe.escape``, but quick for texts that come often."""
    if type(value) is str:
        return _escaped(value)
    return str(value if type(value) is int or hasattr(value, "__html__") else _escaped(str(value)))


# what could end a script element, begin a comment or a character reference in it, or break a line of script
_UNSAFE = {ord(each): f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"}


def script_json(data: Any) -> Markup:
    """``data`` as JSON that is safe inside a script element, whatever players wrote into it."""
    return ready_markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE))


def gold(amount: Decimal | int) -> str:
    """An amount in gold for people: no cents when there are none, a true minus sign."""
    cents = Decimal(amount)
    shown = f"{abs(cents):,.2f}".removesuffix(".00")
    return f"−{shown}" if cents < 0 else shown


def signed(amount: Decimal | int) -> str:
    """The same with a plus sign for a gain."""
    return f"+{gold(amount)}" if amount > 0 else gold(amount)


def figure(amount: Decimal | int) -> str:
    """A figure that is no gold, with the digits that it needs: ``1,176.5``."""
    return f"{Decimal(amount).normalize():,f}".replace("-", "−")


def percent(modifier: int) -> str:
    """A modifier: ``+45%``, ``−30%``."""
    return f"{'−' if modifier < 0 else '+'}{abs(modifier)}%"


def listed(words: list[str] | tuple[str, ...], nothing: str = "none", last: str = "and") -> str:
    """``a, b and c``, with the word before the ``last``; ``nothing`` for an empty list."""
    if len(words) < 2:
        return words[0] if words else nothing
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, singular: str, plural: str = "") -> str:
    """``1 battle``, ``2 battles``."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


def aligned(rows: Sequence[Sequence[str]], left: int | Sequence[int] = 1) -> list[str]:
    """Rows of cells in columns: the first so many, or these, to the left, the others, numbers, to the right."""
    words = range(left) if isinstance(left, int) else left
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if at in words else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        ).rstrip()
        for row in rows
    ]


def slug(name: str) -> str:
    """A folded name as an anchor: a space is a hyphen, what is no ASCII its number, two hyphens before, one behind."""
    return re.sub("[^A-Za-z0-9]", lambda odd: "-" if odd[0] == " " else f"--{ord(odd[0]):x}-", fold(name))


def present(page: str, wanted: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of (id, title) whose id is on the page."""
    forms = (' id="{}"', " id={} ", " id={}>")
    return [(anchor, title) for anchor, title in wanted if any(form.format(anchor) in page for form in forms)]


def capitalised(text: str) -> str:
    """The text with its first letter large, the rest as it is."""
    return text[:1].upper() + text[1:]


_FILTERS = (gold, signed, percent, figure, listed, counted, present, capitalised, slug)
_TABLE = re.compile(r'<table class="cards([^"]*)"([^>]*)>(.*?)</table>', re.DOTALL)
_CELL = re.compile(r"(<t[rdh](?=[ >])[^>]*>)")
_LABEL = re.compile(r' data-label="((?:\{\{.*?\}\}|[^"])*)"')  # in a template it may be decided there
_NUMBER = ' class="num"'
_TAG = re.compile(r"(<[a-z][^<>]*=[^<>]*>)")
_PLAIN = r"""="([\w#.:;,()%/-]*[\w#.:;,()%-])\""""
_QUOTED, _LAST = re.compile(f"{_PLAIN}(?=[ >])"), re.compile(f"{_PLAIN}/>")
_SCOPE = re.compile(r'(<th) scope="(?:row(?=">)|col(?="))"')  # HTML knows itself of what such a header is one
_END = re.compile(r"</(?:td|th|tr|li|dt|dd|tbody|thead(?=>\s*<tbody))>\s*")


def lean_html(html: str) -> str:
    """A part of a page, its text escaped, without optional end tags, quotes and repeated labels."""
    pieces = _TAG.split(_END.sub("", _SCOPE.sub(r"\1", _TABLE.sub(_labelled, str(html)))))
    pieces[1::2] = map(_lean_tag, pieces[1::2])
    return "".join(pieces)


@lru_cache(20_000)
def _lean_tag(tag: str) -> str:
    return _QUOTED.sub(r"=\1", _LAST.sub(r"=\1 />", tag))


def _labelled(table: re.Match[str]) -> str:
    # the label of each column, for narrow screens, becomes a variable of the table's style
    css, more, inside = table.groups()
    pieces = _CELL.split(inside)
    columns: dict[int, list[int]] = {}  # by their number from 1, the pieces that are cells with a label
    column = 0
    for index, tag in enumerate(pieces[1::2]):
        column = 0 if tag.startswith("<tr") else column + 1
        if column and "data-label" in tag:
            columns.setdefault(column, []).append(2 * index + 1)
    style = []
    for column, cells in columns.items():
        labels = {label for index in cells for label in _LABEL.findall(pieces[index])}
        if len(labels) != 1 or "{" in "".join(labels):
            continue
        numbers = all(_NUMBER in pieces[index] for index in cells)
        for index in cells:
            short = _LABEL.sub("", pieces[index])
            pieces[index] = short.replace(_NUMBER, "") if numbers else short
        style.append(f"--l{column}:'{labels.pop()}'{f';--a{column}:right' * numbers}")
    if not style:
        return table[0]
    return f'<table class="cards led{css}"{more} style="{";".join(style)}">{"".join(pieces)}</table>'


_IN_QUOTES = re.compile(r""" "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' """, re.VERBOSE)
_TEXT = re.compile('("[^"]*")')
_CSS_SPACE = re.compile(r" (?={)|(?<=[{;,]) |(?<=\w:) ")
_COMMENT = re.compile(r"^\s*/\*.*?\*/\s*$", re.DOTALL | re.MULTILINE)
_GOES_ON = re.compile("[;{,([]$")  # what the end of a line is not needed behind
# a text in quotation marks, which stays as it is, or marks with the spaces around them, which they do not need
_SCRIPT_SPACE = re.compile(rf"({_IN_QUOTES.pattern})|\ ?([=?:,;{{}}()\[\]<>&|!]+)\ ?", re.VERBOSE)


class Inlined(Record):
    """``styles`` and ``scripts`` as they are put into a page, and ``policy``: the sources of its ``script-src``."""

    styles: Markup
    scripts: tuple[Markup, ...]
    policy: Markup


@cache
def inlined_files(
    styles: tuple[str, ...], scripts: tuple[str, ...] = (), game: str = SHARED, language: str = ENGLISH
) -> Inlined:
    """Files below ``templates/``, read once. Raises ``ValueError`` for one that would end its own element."""
    known = environment() if language == ENGLISH else environment(game, language)
    style, texts = (
        known.get_template(AS_IT_IS + "+".join(names)).render().split("\0") if names else []
        for names in (styles, scripts)
    )
    return Inlined(ready_markup("\n".join(style)), tuple(map(ready_markup, texts)), ready_markup(policy_of(texts)))


def policy_of(scripts: list[str]) -> str:
    """The sources of ``script-src`` that allow these scripts and no other."""
    digests = (b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii") for text in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"


def _read(name: str, end: str, translate: Translate) -> str:
    known = environment()
    text = localised_script(known.loader.get_source(known, name)[0] if known.loader else "", translate)
    # A comment mark would put a browser into the state in which "</script" does not end a script.
    if end in text.lower() or "<!--" in text:
        raise ValueError(f"{name} has {end} or a comment mark of HTML in it")
    return lean(text, name)


def lean(text: str, name: str) -> str:
    """A script or style sheet without indentation and comments. Raises ``ValueError`` for backticks over lines."""
    kept: list[str] = []
    for line in _COMMENT.sub("", text).splitlines():
        stripped = line.strip()
        if stripped.count("`") % 2 and _IN_QUOTES.sub("", stripped).count("`") % 2:
            raise ValueError(f"{name} has a text in backticks that goes over several lines")
        if stripped and not stripped.startswith("//"):
            if name.endswith(".css"):
                parts = enumerate(_TEXT.split(stripped))
                stripped = "".join(part if index % 2 else _CSS_SPACE.sub("", part) for index, part in parts)
                stripped = stripped.replace(";}", "}").replace("; }", "}").replace(" }", "}")
            elif "`" not in stripped and "/" not in stripped:  # a "/" may begin a regular expression
                stripped = _SCRIPT_SPACE.sub(r"\1\2", stripped)
            kept.append(stripped if _GOES_ON.search(stripped) and "//" not in stripped else f"{stripped}\n")
    return "".join(kept).strip() + "\n"
