"""The messages to the game master about files that were rejected (O7)."""

from collections.abc import Iterator, Mapping, Sequence

from gm.core.diagnostics import Diagnostic, Translate, printable, said, says


def set_aside_lines(
    set_aside: Mapping[str, Sequence[Diagnostic]], names: Mapping[str, str], translate: Translate
) -> Iterator[str]:
    """Yield a sentence for each rejected file, realm by realm, with the first of its findings.

    ``set_aside``: the findings by realm; ``names``: those of the realms, by code. Files are named if a
    realm has several.
    """
    for code, findings in sorted(set_aside.items()):
        # from the last to the first: the first finding of each file stays in the mapping
        first_of_file = {finding.file: finding for finding in reversed(findings)}
        for file, finding in first_of_file.items():
            if len(first_of_file) > 1:
                text = says(
                    "{0}: a file was rejected ({1}): {2}.", names[code], printable(file), finding.message
                )
            else:
                text = says("{0}: a file was rejected: {1}.", names[code], finding.message)
            yield str(said(text, translate))
