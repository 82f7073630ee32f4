"""Cases of the small games as data come out as they are written, in every finding, event and change."""

import pytest

from tests.games.cases import CASES, all_cases, outcome_of
from tests.medieval.cases import Case, rewritten

EVERY = [
    pytest.param(
        case, id=f"{case.fields['clauses']} {case.sentence}", marks=pytest.mark.clause(*case.clauses)
    )
    for case in all_cases()
]


@pytest.mark.parametrize("case", EVERY)
def test_a_case_comes_out_as_it_is_written(case: Case) -> None:
    assert outcome_of(case) == case.outcome


def test_every_sentence_stands_once_in_its_file(request: pytest.FixtureRequest) -> None:
    """``--update-golden`` writes all outcomes anew: review them like code."""
    for file in sorted(CASES.glob("*.yaml")):
        cases = [case for case in all_cases() if case.file == file]
        assert len({case.sentence for case in cases}) == len(cases), file.name
        if request.config.getoption("--update-golden"):
            outcomes = {case.sentence: outcome_of(case) for case in cases}
            file.write_text(rewritten(file.read_text(encoding="utf-8"), outcomes), encoding="utf-8")
