"""What one pass costs in each layout, over operators and shapes: what `--layout auto` is chosen from.

    python -m benchmarks.layouts [OPERATOR …] [--markdown FILE]

A figure is the least of several warm runs in milliseconds: of a software driver the CPU time over all its threads, so
that it holds on a busy machine too; of a GPU the time that its passes took there. Every tensor of a model has the
layout at the head of the column. A dash stands for a tensor that does not fit.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from texelscope import layouts, pipeline
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import device_of
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.planning.layout_choice import names

_LEAST_RUNS, _SECONDS = 3, 0.25
_ONLY_WEIGHTS = "filter_tiles"


@dataclass(frozen=True)
class Case:
    """A node over inputs of these shapes; `weights` are further inputs, known before the run."""

    operator: str
    shapes: tuple[tuple[int, ...], ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    weights: tuple[Any, ...] = ()

    @property
    def title(self) -> str:
        """As in the table."""
        return f"{self.operator} {' '.join(str(list(shape)).replace(' ', '') for shape in self.shapes)}"

    def model(self) -> onnx.ModelProto:
        """The node alone."""
        inputs = [f"x{i}" for i in range(len(self.shapes))]
        weights = [f"w{i}" for i in range(len(self.weights))]
        node = helper.make_node(self.operator, [*inputs, *weights], ["y"], name="node", **self.attributes)
        graph = helper.make_graph(
            [node],
            "case",
            [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in zip(inputs, self.shapes, strict=True)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
            [numpy_helper.from_array(np.asarray(w), n) for n, w in zip(weights, self.weights, strict=True)],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def _normal(*shape: int) -> Any:
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)


_WORDS, _PICTURE, _DEEP, _VOLUME = (1, 128, 768), (1, 64, 112, 112), (1, 512, 14, 14), (1, 16, 16, 56, 56)
CASES = (
    Case("Relu", ((25088,),)),
    *(Case("Relu", (shape,)) for shape in (_WORDS, _VOLUME, _PICTURE, _DEEP, (1, 1, 512, 512))),
    *(Case("Add", (shape, shape)) for shape in (_WORDS, _VOLUME, _PICTURE, _DEEP)),
    Case("Add", (_WORDS,), weights=(_normal(768),)),
    Case("Mul", (_PICTURE,), weights=(_normal(64, 1, 1),)),
    Case("Gemm", ((1, 4096),), weights=(_normal(4096, 1000), _normal(1000))),
    Case("Gemm", ((1, 4096),), {"transB": 1}, (_normal(1000, 4096), _normal(1000))),
    Case("MatMul", (_WORDS,), weights=(_normal(768, 768),)),
    Case("MatMul", ((1, 12, 128, 64), (1, 12, 64, 128))),
    Case("Softmax", ((1, 1000),)),
    Case("Softmax", ((1, 12, 128, 128),)),
    Case("ReduceMean", (_WORDS,), {"axes": [-1]}),
    Case("ReduceMean", (_PICTURE,), {"axes": [2, 3]}),
    Case("LayerNormalization", (_WORDS,), weights=(_normal(768), _normal(768))),
    Case("Transpose", (_WORDS,), {"perm": [0, 2, 1]}),
    Case("Transpose", ((1, 128, 12, 64),), {"perm": [0, 2, 1, 3]}),
    Case("Gather", ((30522, 768),), weights=(np.arange(0, 12800, 100),)),
    Case("Concat", (_WORDS, _WORDS), {"axis": 1}),
    Case("Concat", (_PICTURE, _PICTURE), {"axis": 1}),
    Case("Reshape", (_DEEP,), weights=(np.array([1, -1]),)),
    Case("MaxPool", (_PICTURE,), {"kernel_shape": [3, 3], "strides": [2, 2]}),
    Case("MaxPool", (_VOLUME,), {"kernel_shape": [2, 2, 2], "strides": [2, 2, 2]}),
    Case("GlobalAveragePool", (_DEEP,)),
    Case("BatchNormalization", (_PICTURE,), weights=(_normal(64), _normal(64), _normal(64), np.abs(_normal(64)))),
    Case("LRN", (_PICTURE,), {"size": 5}),
    Case("Conv", ((1, 32, 56, 56),), {"pads": [1, 1, 1, 1]}, (_normal(32, 32, 3, 3),)),
    Case("Conv", ((1, 4, 8, 28, 28),), {"pads": [1] * 6}, (_normal(8, 4, 3, 3, 3),)),
)


def main() -> int:
    """Measures the cases and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("operators", nargs="*", metavar="OPERATOR", help="all by default")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table as a page")
    options = parser.parse_args()
    columns = [name for name in names() if name != _ONLY_WEIGHTS]
    rows = []
    for case in CASES:
        if not options.operators or case.operator in options.operators:
            rows.append([case.title, *(_text(case, layout) for layout in columns)])
            print("  ".join(rows[-1]), flush=True)
    table = [["", *columns], ["---", *("--:" for _ in columns)], *rows]
    if options.markdown is not None:
        options.markdown.write_text("".join(f"| {' | '.join(row)} |\n" for row in table), encoding="utf-8")
    return 0


def _text(case: Case, layout: str) -> str:
    try:
        with pipeline.open(case.model(), layout=layout) as session:
            if layout != names()[0] and any(each.layout.name not in _alike(layout) for each in _activations(session)):
                return "–"
            for i, shape in enumerate(case.shapes):
                session.set_input(f"x{i}", _normal(*shape))
            return f"{_run_ms(session):.3f}"
    except TexelscopeError:
        return "–"


def _activations(session: Session) -> Sequence[Any]:
    return [each for each in session.plan.textures.values() if each.role != "constant"]


def _alike(layout: str) -> tuple[str, ...]:
    return (layout, layouts.layout(layout).for_filters.name)


def _run_ms(session: Session) -> float:
    on_cpu = "llvmpipe" in device_of(session.context).renderer
    session.run()
    session.finish()
    times: list[float] = []
    end = time.monotonic() + _SECONDS
    while len(times) < _LEAST_RUNS or time.monotonic() < end:
        before = time.process_time()
        session.run()
        session.finish()
        cpu_ms = (time.process_time() - before) * 1e3
        times.append(cpu_ms if on_cpu else sum(session.gpu_ms(each.name) or 0.0 for each in session.plan.passes))
    return min(times)


if __name__ == "__main__":
    sys.exit(main())
