"""Writes the sample mails into ``tests/mail/samples``: ``python -m tests.mail.make_samples``. The same in every run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from tests.mail.shapes import machines, packing, programs, texts, webmail

FOLDER = Path(__file__).resolve().parent / "samples"


def makers(module: ModuleType) -> dict[str, Callable[[], bytes]]:
    """The functions of a module that make a mail, by the name of its file."""
    found = {name: each for name, each in vars(module).items() if getattr(each, "__module__", "") == module.__name__}
    return {name.replace("_", "-"): each for name, each in found.items() if callable(each) and name[0] != "_"}


def samples() -> dict[str, bytes]:
    """Every sample mail by its name."""
    return {
        name: make()
        for module in (programs, webmail, packing, texts, machines)
        for name, make in makers(module).items()
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    made = samples()
    for path in FOLDER.glob("*.eml"):
        if path.stem not in made:
            path.unlink()
    for name, data in made.items():
        (FOLDER / f"{name}.eml").write_bytes(data)
    sys.stdout.write(f"{len(made)} sample mails in {FOLDER}\n")


if __name__ == "__main__":
    main()
