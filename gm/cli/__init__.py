"""The command line: one module per command, each imported when it is called and not before."""

from __future__ import annotations


def main() -> None:
    """Run the command ``gm`` with the arguments of this process; exits with 0, 1 (refused) or 2 (error)."""
    import gc

    # one short run makes much and throws little away: looking for garbage all the time costs a tenth of it
    gc.set_threshold(1_000_000, 20, 100)
    from gm.cli.app import gm

    try:
        gm(prog_name="gm")
    finally:
        # nor is anything to be found in what the process ends with
        gc.freeze()
