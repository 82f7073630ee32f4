"""Findings as players read them, and how names are compared."""

from gm.core.diagnostics import (
    Diagnostic,
    SourceError,
    did_you_mean,
    fold,
    invisible,
    nearest,
    printable,
    render_all,
    shown,
)
from tests.core.cases import TABLES, cases


def finding(**more: object) -> Diagnostic:
    return Diagnostic(**{**TABLES["finding"], **more})


@cases("rendered")
def test_a_finding_shows_place_code_excerpt_suggestion_and_rule(more: dict[str, object], text: str) -> None:
    assert finding(**more).render() == text


def test_only_a_coloured_finding_has_escape_sequences() -> None:
    assert "\x1b" not in finding().render()
    assert "\x1b[31;1merror[" in finding().render(colour=True)
    assert "\x1b[33;1mwarning[" in finding(severity="warning").render(colour=True)


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
    assert error.diagnostics[0].line == 5
    assert str(error).count("order/unknown-province") == 2


@cases("same names")
def test_names_are_the_same_whatever_the_case_and_the_accents(a: str, b: str) -> None:
    assert fold(a) == fold(b)


@cases("joiners")
def test_joiners_inside_words_and_emoji_are_text(text: str, hidden: bool) -> None:
    """Item 32: those that stand alone hide something; names that differ by them are the same."""
    assert invisible(text) is hidden
    assert (printable(text) != text) is hidden
    assert fold("Sir John") == fold("Sir Jo\u200dhn")


@cases("near names")
def test_a_near_name_is_found_and_the_nearest_wins(wrong: str, right: str | None) -> None:
    assert nearest(wrong, ["Keno", "Kent", "Kents", "Gloucester", "Longbowmen"]) == right
    assert nearest("x" * 10_000, ["Kent"]) is None


def test_help_with_names() -> None:
    assert did_you_mean("Kent") == "did you mean 'Kent'?"
    assert did_you_mean(None) == ""
    assert shown("x" * 100) == "'" + "x" * 39 + "…'"
    assert printable("a\x00b\u202ec") == "a\ufffdb\ufffdc"
