"""Photographs of the pages, for people to look at: ``make look`` (needs Chromium; it is no test and proves
nothing).

Writes the pages of the tests' busy turn, and the same with hostile names, into a folder, and beside each a
picture as wide as a desk's screen and one as wide as a telephone's, and a PDF as it prints.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.medieval.reportland import busy_record, raw_texts
from tests.medieval.test_report_pages import hostile_record

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
SIZES = {"desk": "1280,4200", "phone": "390,6000"}
PAGES = (
    "results/ENG.html",
    "results/battles/02-flanders.html",
    "results/battles/03-paris.html",
    "summary.html",
)


def main(folder: Path) -> int:
    """Write pages and pictures; 1 without a browser."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        print("make look needs Chromium, and there is none here", file=sys.stderr)  # noqa: T201
        return 1
    for name, files in (("busy", raw_texts(busy_record())), ("hostile", raw_texts(hostile_record()))):
        write(folder / name, files)
        for page in PAGES:
            photograph(browser, folder / name / page)
    print(f"pages, pictures and prints: {folder}")  # noqa: T201
    return 0


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def photograph(browser: str, page: Path) -> None:
    """One picture for each size, and the print."""
    outputs = [
        f"--screenshot={page.with_suffix(f'.{name}.png')} --window-size={size}"
        for name, size in SIZES.items()
    ]
    outputs.append(f"--print-to-pdf={page.with_suffix('.pdf')} --no-pdf-header-footer")
    for output in outputs:
        with tempfile.TemporaryDirectory() as profile:
            command = [
                browser,
                *QUIET,
                f"--user-data-dir={profile}",
                *output.split(" "),
                page.resolve().as_uri(),
            ]
            subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "look")))
