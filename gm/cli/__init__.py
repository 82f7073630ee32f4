"""The command line: one module per command, each imported when it is called and not before."""

import sys


def main() -> None:
    """Run ``pbem`` with the arguments of this process. Raises ``SystemExit`` with the command's exit code."""
    import gc

    # a command makes many objects and drops few of them: looking for garbage as often as Python does by
    # itself takes a tenth of its time
    gc.set_threshold(1_000_000, 20, 100)
    from gm import PROGRAM
    from gm.cli.app import gm
    from gm.cli.console import prepare

    for stream in (sys.stdout, sys.stderr):
        prepare(stream)

    try:
        gm(prog_name=PROGRAM)
    finally:
        # Python looks for garbage once more when it ends: it leaves out frozen objects
        gc.freeze()


def run() -> None:
    """Run the program, and end its process at once when the command is done.

    Python would free a large game object by object, which takes a twentieth of a turn's time; the system
    frees the memory as a whole.
    """
    try:
        main()
    except SystemExit as system_exit:
        code = system_exit.code
        if not isinstance(code, int) or "multiprocessing" in sys.modules:
            raise  # Python prints a message in place of a code, and waits for the processes that we started
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except OSError:
            raise system_exit from None  # the reader of our output has gone: Python ends without a message
        import os

        os._exit(code)
