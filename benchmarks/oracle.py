"""How long the oracle takes for a whole model, beside onnx.reference on the same machine at the same time.

    python -m benchmarks.oracle                      # the U-Net generator and GoogLeNet, with their limits
    python -m benchmarks.oracle unet64 resnet50      # others: unetNGF, or a light model of the onnx package

Runs of the two sides take turns; the figures are medians. Ends with exit code 1 if a limit is exceeded.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx.reference import ReferenceEvaluator

from benchmarks import unet
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.oracle.reference import Reference

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"

# Seconds that the oracle may take on two cores.
LIMITS = {"unet16": 0.25, "inception_v1": 0.6}


@dataclass(frozen=True)
class Measured:
    """Seconds of each run of one side, and the model's first output."""

    seconds: tuple[float, ...]
    output: NDArray[np.float32]

    @property
    def median(self) -> float:
        """Seconds."""
        return statistics.median(self.seconds)


def model_named(name: str) -> onnx.ModelProto:
    """`unet` followed by its width, or a light model of the onnx package without `light_`."""
    if name.startswith("unet"):
        return unet.build(ngf=int(name.removeprefix("unet")))
    return onnx.load(LIGHT / f"light_{name}.onnx")


def measure(name: str, repeats: int, reference_repeats: int) -> tuple[Measured, Measured]:
    """onnx.reference and the oracle on the same model and the same random picture."""
    model = model_named(name)
    graph = load(model)
    random = np.random.default_rng(0)
    picture = {name: random.random(graph.tensors[name].shape, np.float32) for name in graph.inputs}
    evaluator = ReferenceEvaluator(model)
    known = {value.name for value in model.graph.initializer}
    feeds = {value.name: picture[value.name] for value in model.graph.input if value.name not in known}
    oracle, given, wanted = Reference(), {**graph.constants, **picture}, graph.outputs

    def by_reference() -> NDArray[np.float32]:
        outputs = evaluator.run(None, feeds)
        assert isinstance(outputs, list)
        return np.asarray(outputs[0])

    def by_oracle() -> NDArray[np.float32]:
        return oracle.run(graph.nodes, given, wanted)[wanted[0]]

    by_oracle()  # the first run also prepares an evaluator for each node
    slow, fast = [], []
    for turn in range(max(repeats, reference_repeats)):
        if turn < reference_repeats:
            slow.append(_timed(by_reference))
        if turn < repeats:
            fast.append(_timed(by_oracle))
    return _measured(slow), _measured(fast)


def _timed(run: Callable[[], NDArray[np.float32]]) -> tuple[float, NDArray[np.float32]]:
    start = time.perf_counter()
    output = run()
    return time.perf_counter() - start, output


def _measured(runs: list[tuple[float, NDArray[np.float32]]]) -> Measured:
    return Measured(tuple(seconds for seconds, _ in runs), runs[-1][1])


def row(name: str, slow: Measured, fast: Measured) -> str:
    """One line of the table."""
    limit = LIMITS.get(name)
    verdict = "" if limit is None else f"{'within' if fast.median <= limit else 'OVER'} {limit:g} s"
    difference = float(np.abs(slow.output - fast.output).max())
    return (
        f"{name:<14} {slow.median:>12.3f} s {fast.median:>10.4f} s {slow.median / fast.median:>8.0f} x "
        f"{difference:>12.1e}  {verdict}"
    )


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=list(LIMITS), help="unet16, inception_v1, resnet50 …")
    parser.add_argument("--repeats", type=int, default=11, help="runs of the oracle")
    parser.add_argument("--reference-repeats", type=int, default=3, help="runs of onnx.reference")
    options = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, numpy {np.__version__}, onnx {onnx.__version__}")
    print(f"{'model':<14} {'onnx.reference':>14} {'oracle':>12} {'ratio':>10} {'max |diff|':>12}")
    over = False
    for name in options.models:
        slow, fast = measure(name, options.repeats, options.reference_repeats)
        print(row(name, slow, fast), flush=True)
        over |= fast.median > LIMITS.get(name, float("inf"))
    return int(over)


if __name__ == "__main__":
    raise SystemExit(main())
