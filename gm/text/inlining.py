"""What a page carries with it: style sheets, scripts, and a Content-Security-Policy that names each script by its
SHA-256, so that a browser runs nothing else even if an escape were forgotten."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from functools import cache
from typing import TYPE_CHECKING

from gm.core.values import Record
from gm.resources import resource
from gm.text.pages import plain_file, ready_markup

if TYPE_CHECKING:
    from markupsafe import Markup

_QUOTED = re.compile(r""" "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' """, re.VERBOSE)
_TEXT = re.compile('("[^"]*")')
_CSS_SPACE = re.compile(r" (?={)|(?<=[{;,]) |(?<=\w:) ")
_GOES_ON = re.compile("[;{,([]$")
"""What the end of a line is not needed behind."""
_SCRIPT_SPACE = re.compile(rf"({_QUOTED.pattern})|\ ?([=?:,;{{}}()\[\]<>&|!]+)\ ?", re.VERBOSE)
"""A text in quotation marks, which stays as it is, or marks with the spaces around them, which they do not need."""


class Inlined(Record):
    """``styles`` and ``scripts`` as they are put into a page, and ``policy``: the sources of its ``script-src``."""

    styles: Markup
    scripts: tuple[Markup, ...]
    policy: Markup


@cache
def inlined_files(styles: tuple[str, ...], scripts: tuple[str, ...] = ()) -> Inlined:
    """Files below ``templates/``, read once; a later style may refine an earlier. Raises ``ValueError`` for one that
    would end its own element."""
    style = "\n".join(_read(name, "</style") for name in styles)
    texts = [_read(name, "</script") for name in scripts]
    return Inlined(ready_markup(style), tuple(map(ready_markup, texts)), ready_markup(policy_of(texts)))


def policy_of(scripts: list[str]) -> str:
    """The sources of ``script-src`` that allow these scripts and no other."""
    digests = (b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii") for text in scripts)
    return " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"


def _read(name: str, end: str) -> str:
    text = plain_file(resource("templates"), name)
    # A comment mark would put a browser into the state in which "</script" does not end a script.
    if end in text.lower() or "<!--" in text:
        raise ValueError(f"{name} has {end} or a comment mark of HTML in it")
    return lean(text, name)


def lean(text: str, name: str) -> str:
    """A script or style sheet without indentation and comment lines. Raises ``ValueError`` for backticks over several
    lines."""
    kept: list[str] = []
    in_comment = False
    for line in text.splitlines():
        stripped = line.strip()
        if in_comment or stripped.startswith("/*"):
            in_comment = not stripped.endswith("*/")
            continue
        if stripped.count("`") % 2 and _QUOTED.sub("", stripped).count("`") % 2:
            raise ValueError(f"{name} has a text in backticks that goes over several lines")
        if stripped and not stripped.startswith("//"):
            if name.endswith(".css"):
                stripped = "".join(
                    part if index % 2 else _CSS_SPACE.sub("", part) for index, part in enumerate(_TEXT.split(stripped))
                )
            elif "`" not in stripped and "/" not in stripped:  # a "/" may begin a regular expression
                stripped = _SCRIPT_SPACE.sub(r"\1\2", stripped)
            kept.append(stripped if _GOES_ON.search(stripped) and "//" not in stripped else f"{stripped}\n")
    return "".join(kept).strip() + "\n"
