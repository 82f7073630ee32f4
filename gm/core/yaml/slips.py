"""What a newcomer or his word processor writes where YAML wants something else, told in his terms.

A parser complains of the consequence, often elsewhere in the line; a slip is what the line shows. Only lines that hold
an error are looked at: the same characters are right inside a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gm.core.diagnostics import Diagnostic, shown

_Told = Callable[[re.Match[str]], tuple[str, str]]


def _quotes(_: re.Match[str]) -> tuple[str, str]:
    return "a word processor's quotation mark: YAML knows only straight ones", "write \" or ', or leave both marks out"


def _dash(found: re.Match[str]) -> tuple[str, str]:
    return f"{shown(found[1])} is no hyphen: a line of a list begins with '-' and a space", ""


def _space(_: re.Match[str]) -> tuple[str, str]:
    return "a no-break space stands here: it looks like a space, and YAML takes it for a letter", "type a plain space"


def _two_words(found: re.Match[str]) -> tuple[str, str]:
    word, rest = found[1], found[2].strip()
    return f"two words with colons in one line: YAML allows one of '{word}:'", (
        f"put '{rest}' on a line of its own below '{word}:', further in, and in a list behind '- '"
    )


_SLIPS: tuple[tuple[str, re.Pattern[str], _Told], ...] = (
    ("source/no-break-space", re.compile(r"[\s-]*?([\u00a0\u2007\u202f\u3000])"), _space),
    ("source/dash", re.compile(r"\s*([–—−‐‑•·*])\s"), _dash),
    ("source/typographic-quote", re.compile(r"[^#\"']*?(?:^|[\s:,\[{-])([“”„‟‘’‚«»])"), _quotes),
    ("source/two-words", re.compile(r"\s*(?:- )?(\w+): +(\w+: .*)"), _two_words),
)


def in_newcomers_terms(finding: Diagnostic) -> Diagnostic:
    """The error told as the slip that its line shows, at the place of the slip; as it is where there is none.

    Two words on a line are the cause only of what the parser says of a colon.
    """
    if not finding.is_error or finding.line == 0:
        return finding
    for code, pattern, told in _SLIPS:
        found = pattern.match(finding.excerpt)
        if found is None or (code == "source/two-words" and finding.code != "source/colon"):
            continue
        group = 2 if code == "source/two-words" else 1
        message, suggestion = told(found)
        at, width = found.start(group) + 1, len(found[group].rstrip())
        return finding.evolve(code=code, message=message, suggestion=suggestion, column=at, width=width, clause="")
    return finding
