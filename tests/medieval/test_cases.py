"""Cases of rules as data come out as they are written, in every event and every change (O2)."""

import pytest

from tests.medieval.cases import CASES, Case, all_cases, outcome_of, rewritten

EVERY = [
    pytest.param(
        case, id=f"{case.fields['clauses']} {case.sentence}", marks=pytest.mark.clause(*case.clauses)
    )
    for case in all_cases()
]


@pytest.mark.parametrize("case", EVERY)
def test_a_case_comes_out_as_it_is_written(case: Case) -> None:
    assert outcome_of(case.fields) == case.outcome


def test_every_sentence_stands_once_in_its_file(request: pytest.FixtureRequest) -> None:
    """``--update-golden`` writes all outcomes anew: review them like code."""
    every = list(all_cases())
    for file in sorted(CASES.glob("*.yaml")):
        cases = [case for case in every if case.file == file]
        assert len({case.sentence for case in cases}) == len(cases), file.name
        if request.config.getoption("--update-golden"):
            outcomes = {case.sentence: outcome_of(case.fields) for case in cases}
            file.write_text(rewritten(file.read_text(encoding="utf-8"), outcomes), encoding="utf-8")
