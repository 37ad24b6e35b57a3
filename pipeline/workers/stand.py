"""The process that stands by: reads calls of one function and answers each. `python -m pipeline.workers.stand`."""

from __future__ import annotations

import os
import pickle
import sys
import threading

from texelscope.pipeline.workers.serve import answer, end_with, hold


def main() -> None:
    """Until nobody asks any more."""
    function, most_bytes = pickle.load(sys.stdin.buffer)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
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
