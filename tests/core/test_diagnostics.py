"""Findings as players read them, and how names are compared."""

from __future__ import annotations

import pytest

from gm.core.diagnostics import Diagnostic, SourceError, did_you_mean, fold, nearest, printable, render_all, shown


def finding(**more: object) -> Diagnostic:
    fields: dict[str, object] = {
        "severity": "error",
        "code": "order/unknown-province",
        "message": "no province is called 'Glocester'",
        "file": "turn-07/ENG.yaml",
        "line": 5,
        "column": 14,
        "width": 9,
        "excerpt": "    - march: Glocester",
        "suggestion": "did you mean 'Gloucester'?",
        "clause": "M9",
    }
    return Diagnostic(**{**fields, **more})  # type: ignore[arg-type]


def test_a_finding_shows_place_code_excerpt_suggestion_and_rule() -> None:
    assert finding().render() == (
        "turn-07/ENG.yaml:5:14: error[order/unknown-province]: no province is called 'Glocester'\n"
        "  5 |     - march: Glocester\n"
        "    |              ^^^^^^^^^\n"
        "  = did you mean 'Gloucester'?   rule M9"
    )


def test_a_finding_about_a_whole_file_has_no_excerpt() -> None:
    whole = Diagnostic("error", "source/empty", "the file is empty", "ENG.yaml")
    assert whole.render() == "ENG.yaml: error[source/empty]: the file is empty"


def test_only_a_coloured_finding_has_escape_sequences() -> None:
    assert "\x1b" not in finding().render()
    assert "\x1b[31;1merror[" in finding().render(colour=True)
    assert "\x1b[33;1mwarning[" in finding(severity="warning").render(colour=True)


def test_nothing_in_a_file_reaches_the_terminal_as_a_command() -> None:
    nasty = finding(excerpt="\x1b[2J\x07 march: x", message="\x1b]0;title\x07", file="\x1b.yaml")
    text = nasty.render()
    assert "\x1b" not in text
    assert "\x07" not in text


def test_the_mark_stands_below_wide_letters_and_behind_tabs() -> None:
    text = finding(excerpt="\t法国: Kent", column=6, width=4, suggestion="", clause="").render()
    assert text.splitlines()[1:] == ["  5 |  法国: Kent", "    |        ^^^^"]


def test_a_long_line_is_shown_around_the_mark() -> None:
    text = finding(excerpt="x" * 500 + "Glocester" + "y" * 500, column=501).render()
    excerpt, mark = text.splitlines()[1:3]
    assert len(excerpt) < 120
    assert excerpt[mark.index("^") :].startswith("Glocester")
    assert mark.count("^") == 9


def test_the_first_findings_are_printed_and_the_others_counted() -> None:
    text = render_all([finding()] * 60, limit=2)
    assert text.count("order/unknown-province") == 2
    assert text.endswith("... and 58 more")


def test_a_source_error_holds_all_its_findings() -> None:
    error = SourceError(finding(), finding(line=6))
    assert error.diagnostic.line == 5
    assert str(error).count("order/unknown-province") == 2


@pytest.mark.parametrize(
    ("a", "b"),
    [("Zürich", "zurich"), ("SCÅNIA", "Scania"), ("Łódź", "lodz"), ("Straße", "STRASSE"), (" New  Town ", "new town")],
)
def test_names_are_the_same_whatever_the_case_and_the_accents(a: str, b: str) -> None:
    assert fold(a) == fold(b)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Glocester", "Gloucester"),
        ("gluocester", "Gloucester"),
        ("Glouc", "Gloucester"),
        ("Longbowman", "Longbowmen"),
        ("Munich", None),
        ("", None),
        ("x" * 10_000, None),
    ],
)
def test_a_near_name_is_found(wrong: str, right: str | None) -> None:
    assert nearest(wrong, ["Kent", "Gloucester", "Longbowmen"]) == right


def test_the_nearest_of_several_names_wins() -> None:
    assert nearest("Kentt", ["Keno", "Kent", "Kents"]) == "Kent"


def test_help_with_names() -> None:
    assert did_you_mean("Kent") == "did you mean 'Kent'?"
    assert did_you_mean(None) == ""
    assert shown("x" * 100) == "'" + "x" * 39 + "…'"
    assert printable("a\x00b\u202ec") == "a\ufffdb\ufffdc"
