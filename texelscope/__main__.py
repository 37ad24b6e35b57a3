"""Runs `python -m texelscope`, where the command itself is not on the path."""

# ruff: noqa: PTH120 - `os` is there from the start; pathlib would be looked for in the working folder
import os
import sys


def without_working_folder(path: list[str], own: str) -> list[str]:
    """Returns Python's path without the folder that `-m` puts first, unless this program itself, in `own`, lies there.

    The working folder may be untrusted, and a `numpy.py` in it must not be imported as numpy.
    """
    return path if sys.flags.safe_path or not path or os.path.realpath(path[0]) == own else path[1:]


if __name__ == "__main__":
    sys.path[:] = without_working_folder(sys.path, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    from texelscope.command_line import main

    sys.exit(main())
