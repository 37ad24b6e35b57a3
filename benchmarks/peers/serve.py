"""Runs an engine in another Python process, commanded a line at a time; answers are lines of JSON.

The first answer comes with the first result. Then `run` runs once and returns the milliseconds that it took, with the
output read back; `output` returns the last one in base64. Nothing of Texelscope is imported here: an engine may live in
a separate environment.
"""

from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Answer = dict[str, object]


def serve(about: Callable[[], Answer], run: Callable[[], NDArray[np.float32]]) -> None:
    """Runs once, reports that with the engine's description, and serves until standard input ends."""
    output = run()
    _say(about())
    for line in sys.stdin:
        if line.strip() == "run":
            start = time.perf_counter()
            output = run()
            _say({"ms": (time.perf_counter() - start) * 1e3})
        else:
            _say({"output": base64.b64encode(np.ascontiguousarray(output, dtype=np.float32).tobytes()).decode()})


def _say(answer: Answer) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
