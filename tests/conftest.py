"""Options and fixtures that all tests share."""

import gc
import os
import signal
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests.drawn import draw_no_constants
from tests.examples import ALL
from tests.first_imports import FirstImports
from tests.golden import compare_golden
from tests.longest import longest_first

# the same examples in every run of CI; at home each run looks at new ones
for profile, share in {"some": 5, "all": ALL}.items():
    settings.register_profile(
        profile,
        max_examples=share,
        deadline=None,  # no test fails for a slow machine
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("some")
draw_no_constants()

# a shell lets what it starts in the background ignore Ctrl-C, and what that starts too: tests send it to
# commands
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# what tests leave behind hardly ever goes in circles: an eighth of the time went into looking for it; ten
# times as rarely is no quicker, and takes gigabytes
gc.set_threshold(10_000, 20, 10)

MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there
ROOM = 4 * 1024**3


def memory_has_room() -> bool:
    """Whether a file system in memory is there, with room enough, and lets programs be started from it."""
    state = os.statvfs(MEMORY) if MEMORY.is_dir() else None
    return state is not None and state.f_bavail * state.f_frsize > ROOM and not state.f_flag & os.ST_NOEXEC


# tests make and delete hundreds of thousands of small files
if "TMPDIR" not in os.environ and memory_has_room():
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first."""
    items[:] = longest_first(items)


first_imports = FirstImports()


def pytest_collection_finish() -> None:
    """Know the modules that are imported before any test, which can replace something only explicitly."""
    first_imports.check()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """The next test begins in a folder that is there, wherever this one went, and with the program as it is.

    The test's own folders are gone, and what it replaced has been put back.
    """
    try:
        Path.cwd()
    except FileNotFoundError:
        os.chdir(item.config.rootpath)
    first_imports.check()


Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test may be skipped where its user lacks what it needs, and nowhere in CI."""
    return _not_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a file whose tests are all skipped."""
    return _not_skipped((yield))


def _not_skipped(report: Report) -> Report:
    if os.environ.get("CI") and report.skipped:
        # pytest counts no failure of which it is said that it was expected
        reason = vars(report).pop("wasxfail", "") or report.longrepr
        said = reason[-1] if isinstance(reason, tuple) else reason
        report.outcome = "failed"
        report.longrepr = f"CI skips no test and expects none to fail: {said}"
    return report


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the expected files from what the program does"
    )
    parser.addoption(
        "--golden-texts",
        default="",
        metavar="FOLDER",
        help="leave the texts that are compared with expected ones here",
    )


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What gm keeps for the next time, it keeps beside the tests' other files, the same for all workers."""
    base = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            "XDG_CACHE_HOME", str((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache")
        )
        patch.delenv("GM_GAME", raising=False)
        patch.setenv("GM_EARLY", "1")  # tests play turns when they like; that of the promise takes it back
        yield


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with the file, or with the hash, that holds what is expected.

    ``--update-golden`` rewrites it.
    """
    update = request.config.getoption("--update-golden")
    whole = request.config.getoption("--golden-texts")

    def compare(path: Path, text: str) -> None:
        compare_golden(path, text, update=update, whole=whole)

    return compare
