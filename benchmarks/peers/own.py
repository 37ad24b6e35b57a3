"""Runs Texelscope as a peer among peers: `python -m benchmarks.peers.own MODEL_FOLDER HOW`.

HOW is a layout, or options of `OpenOptions` with commas between: `channel_tiles_rgba,precision=float16`. With the word
`fused` among them only the output is made, as other engines do it; without it every intermediate tensor is.
"""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.serve import serve
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.opening import open_session
from texelscope.pipeline.target import OpenOptions

FUSED = "fused"


def options_of(how: str) -> tuple[OpenOptions, bool]:
    """Parses HOW: how to open the model, and whether passes may run as one."""
    words = how.split(",")
    pairs = (word.partition("=") for word in words if word != FUSED)
    options: dict[str, Any] = {name if equals else "layout": value if equals else name for name, equals, value in pairs}
    return OpenOptions(**options), FUSED in words


def main() -> None:
    """Opens the model, runs it, serves."""
    folder, (options, is_fused) = Path(sys.argv[1]), options_of(sys.argv[2])
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    with open_session(folder / "model.onnx", options) as session, session.untimed():
        session.set_input(about["given"], np.fromfile(folder / "input.bin", np.float32).reshape(about["given_shape"]))
        device = device_of(session.context)

        runs = count()

        def run() -> NDArray[np.float32]:
            is_warm_up = next(runs) == 1  # after the first result: what runs for long has tuned forms
            if is_fused:
                session.run_fused(settle=is_warm_up)
            else:
                session.run()
            while is_warm_up and session.tune(after=1):
                pass
            return session.tensor(about["made"])

        serve(lambda: {"driver": f"{device.renderer}, OpenGL {device.version}", "version": "Texelscope"}, run)


if __name__ == "__main__":
    main()
