"""Runs in the other process: reads one call, makes it, writes its result. `python -m pipeline.workers.serve CALLER`."""

from __future__ import annotations

import os
import pickle
import sys
from importlib import import_module
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.workers.limits import end_with, hold


def main() -> None:
    """Ends with code 0 and an answer, or with another one and none."""
    function, arguments, seconds, most_bytes = pickle.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library's output is no answer
    end_with(int(sys.argv[1]))
    hold(seconds, most_bytes)
    with answers:
        pickle.dump(answer(function, arguments), answers, protocol=pickle.HIGHEST_PROTOCOL)


def answer(function: str, arguments: tuple[Any, ...]) -> tuple[Any, dict[str, str] | None]:
    """Returns the result of a call, or the error that it raises, in words."""
    module, name = function.split(":")
    try:
        return getattr(import_module(module), name)(*arguments), None
    except TexelscopeError as error:
        kind = type(error).__name__
        return None, {
            "kind": kind, "who": error.who, "expected": error.expected, "got": error.got, "do_next": error.do_next
        }  # fmt: skip


if __name__ == "__main__":
    main()
