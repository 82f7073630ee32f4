"""``python -m tests.fuzz.guided TARGET FOLDER [libFuzzer's options]``: coverage-guided random bytes for one
reader.

Needs atheris. FOLDER gets the inputs to begin from, if it is not there, and those that are found to reach
something new. What makes the target fail is written beside it, and its bytes are printed.
"""

import hashlib
import re
import sys
from itertools import chain
from pathlib import Path

WORDS = re.compile(rb"[A-Za-z_][\w -]{2,30}")


def main() -> None:
    """Fuzz a target with inputs that coverage guides, from a corpus in a folder."""

    import atheris

    name, folder, *options = sys.argv[1:]
    path = Path(folder)
    with atheris.instrument_imports(include=["gm"], enable_loader_override=False):
        from tests.fuzz import targets

        inputs = targets.corpus(name)
        for data in inputs:
            targets.TARGETS[name](data)  # what is imported on the way is measured too
    if not path.is_dir():
        path.mkdir(parents=True)
        for data in inputs:
            (path / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
    words = path.with_name(f"{path.name}.words")
    words.write_text(dictionary(inputs), encoding="ascii")
    atheris.Setup([sys.argv[0], folder, f"-dict={words}", *options], targets.TARGETS[name])
    atheris.Fuzz()


def dictionary(inputs: list[bytes]) -> str:
    """The words of the inputs, as libFuzzer wants them: pieces to put together anew."""
    all_words = chain.from_iterable(WORDS.findall(data) for data in inputs)
    words = sorted({word.strip() for word in all_words})
    return "".join(f'"{word.decode("ascii", "ignore")}"\n' for word in words[:3000] if word.isascii())


if __name__ == "__main__":
    main()
