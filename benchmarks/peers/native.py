"""Runs ONNX Runtime's CPU provider as a peer: `python -m benchmarks.peers.native MODEL_FOLDER`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from benchmarks.peers.serve import serve


def main() -> None:
    """Loads the model, runs it, serves."""
    folder = Path(sys.argv[1])
    session = onnxruntime.InferenceSession(folder / "model.onnx", providers=["CPUExecutionProvider"])
    given = session.get_inputs()[0]
    values = np.fromfile(folder / "input.bin", np.float32).reshape(given.shape)

    def run() -> NDArray[np.float32]:
        return np.asarray(session.run(None, {given.name: values})[0])

    serve(lambda: {"driver": f"{os.cpu_count()} cores", "version": f"ONNX Runtime {onnxruntime.__version__}"}, run)


if __name__ == "__main__":
    main()
