"""The command line: one module per command, each imported when it is called and not before."""

import sys


def main() -> None:
    """Run the command ``pbem`` with the arguments of this process; exits with 0, 1 (refused) or 2 (error)."""
    import gc

    # one short run makes much and throws little away: looking for garbage all the time costs a tenth of it
    gc.set_threshold(1_000_000, 20, 100)
    from gm import PROGRAM
    from gm.cli.app import gm
    from gm.cli.console import prepare

    for stream in (sys.stdout, sys.stderr):
        prepare(stream)

    try:
        gm(prog_name=PROGRAM)
    finally:
        # nor is anything to be found in what the process ends with
        gc.freeze()


def run() -> None:
    """Run the program in a process of its own.

    It ends at once when the command is done: to free a large game object by object takes a twentieth of a
    turn, and the system takes the memory back as a whole.
    """
    try:
        main()
    except SystemExit as ended:
        if not isinstance(ended.code, int) or "multiprocessing" in sys.modules:
            raise  # a message is still to be printed, or processes of ours are to be seen off
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            raise ended from None  # nobody reads on: Python ends that quietly
        import os

        os._exit(ended.code)
