"""Runs in the standby process: answers calls of one function. `python -m pipeline.workers.stand CALLER`."""

from __future__ import annotations

import os
import pickle
import sys

from texelscope.pipeline.workers.limits import end_with, hold
from texelscope.pipeline.workers.serve import answer


def main() -> None:
    """Answers calls until there are no more."""
    function, most_bytes = pickle.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a library's output is no answer
    end_with(int(sys.argv[1]))
    hold(None, most_bytes)
    while True:
        try:
            arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(answer(function, arguments), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


if __name__ == "__main__":
    main()
