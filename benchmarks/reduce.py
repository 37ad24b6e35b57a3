"""Reduces planted faults in networks of usual size, each to one pass on the smallest shapes.

    python -m benchmarks.reduce [--only WORD] [--seconds S] [--keep DIR]

The networks are those inside the onnx package, with random weights, since all of a kind are equal there and most faults
would not show. Each is ejected, one shader is edited, and `reduce` has to make a folder of one pass, its tensors of at
most 16x16, that has the same cause when it is opened. A row shows the rest. Exit code 1 if one fails.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from benchmarks.models import LIGHT
from texelscope.pipeline.commands.diff import diff
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.export.eject import PIPELINE, eject
from texelscope.pipeline.reduce.issue_text import shape_text
from texelscope.pipeline.reduce.reduction import ReductionRequest, ReductionResult, reduce
from texelscope.pipeline.target import OpenOptions, Target

MOST_TEXELS = 16


@dataclass(frozen=True)
class Fault:
    """Edits (`old`, `new`) the ejected shader of one pass; `cause` is the name that it has to get, first."""

    title: str
    network: str
    name: str
    cause: str
    edits: tuple[tuple[str, str], ...]
    layout: str = "channel_tiles"


SQUEEZENET = "squeezenet"
_BIAS = "    sum += B(ivec4(0, 0, 0, at.y));\n"
FAULTS = (
    Fault(
        "padding of a 3x3 convolution forgotten",
        SQUEEZENET,
        "n22",
        "shift",
        (("at.zw - ivec2(1, 1)", "at.zw"),),
    ),
    Fault(
        "reads run into the neighbouring tile",
        SQUEEZENET,
        "n29",
        "tile_bleed",
        (
            ("            if (y < 0 || y >= 27) continue;\n", ""),
            ("                if (x < 0 || x >= 27) continue;\n", ""),
        ),
    ),
    Fault(
        "edges repeated where there should be zeros",
        SQUEEZENET,
        "n14",
        "padding_mode",
        (
            ("if (y < 0 || y >= 55) continue;", "y = clamp(y, 0, 54);"),
            ("if (x < 0 || x >= 55) continue;", "x = clamp(x, 0, 54);"),
        ),
    ),
    Fault("the bias forgotten", SQUEEZENET, "n3", "bias_missing", ((_BIAS, ""),)),
    Fault(
        "an activation where there is none",
        SQUEEZENET,
        "n5",
        "activation_extra",
        (("    return sum;", "    return max(sum, 0.0);"),),
    ),
    Fault(
        "a sum that goes on from lane to lane",
        SQUEEZENET,
        "n22",
        "accumulator_not_reset",
        (
            ("float compute(ivec4 at) {", "float sum = 0.0;\n\nfloat compute(ivec4 at) {"),
            ("    float sum = 0.0;\n\n    for", "    for"),
        ),
        "row_major_rgba",
    ),
    Fault(
        "the picture taken as BGR",
        SQUEEZENET,
        "n0",
        "channel_permutation",
        (("X(ivec4(at.x, i, y, x))", "X(ivec4(at.x, 2 - i, y, x))"),),
    ),
    Fault("a pool with a stride of one", SQUEEZENET, "n2", "stride", (("at.zw * ivec2(2, 2)", "at.zw"),)),
    Fault(
        "values cut to 0 … 1",
        SQUEEZENET,
        "n10",
        "clamped_0_1",
        (("    return sum;", "    return clamp(sum, 0.0, 1.0);"),),
    ),
    Fault("the last input channel left out", SQUEEZENET, "n54", "missing_channels", (("i < 512;", "i < 511;"),)),
    Fault(
        "the kernel turned round",
        SQUEEZENET,
        "n37",
        "kernel_flip",
        (("W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, 2 - p, 2 - q))"),),
    ),
    Fault(
        "a matrix product without its last four terms",
        "inception_v1",
        "n142",
        "missing_channels",
        (("k + 4 <= 1024", "k + 4 <= 1020"), ("k < 1024", "k < 1020")),
    ),
    Fault(
        "another epsilon under the root",
        "shufflenet",
        "n1",
        "epsilon",
        (("9.99999975e-06", "0.001"),),
    ),
    Fault(
        "a mean that counts the padding",
        "shufflenet",
        "r14",
        "average_count",
        (("false ? taps : count", "true ? taps : count"),),
    ),
    Fault(
        "a grouped convolution that reads the first group alone",
        "shufflenet",
        "r12",
        "group_ignored",
        (("first_channel + i", "i"),),
    ),
)


@dataclass(frozen=True)
class Row:
    """Reports one fault; `problem` is empty if it was reduced."""

    fault: Fault
    reduced: ReductionResult | None
    problem: str


def main() -> int:
    """Reduces them all; returns 1 if one fails."""
    options = _options()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, fault in enumerate(FAULTS):
            if options.only in f"{fault.title} {fault.network} {fault.cause}":
                to = (options.keep or Path(scratch)) / f"{number}-{fault.cause}"
                rows.append(_row(fault, Path(scratch), to, options.seconds))
                print(_line(rows[-1]), flush=True)
    well = sum(not row.problem for row in rows)
    print(f"{well} of {len(rows)} faults reduced to one pass of at most {MOST_TEXELS}x{MOST_TEXELS}, still named.")
    return 0 if well == len(rows) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="WORD", default="", help="faults with this in title, network or cause")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each may look (default 60)")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="keep the folders here")
    return parser.parse_args()


def _row(fault: Fault, scratch: Path, to: Path, seconds: float) -> Row:
    folder = _ejected(fault.network, fault.layout, scratch)
    shader = _shader(folder, fault.name)
    text = edited = shader.read_text(encoding="utf-8")
    for old, new in fault.edits:
        assert old in edited, (fault.title, old)
        edited = edited.replace(old, new)
    shader.write_text(edited, encoding="utf-8")
    try:
        reduced = reduce(Target(str(folder / PIPELINE)), to, ReductionRequest(seconds=seconds))
    except TexelscopeError as error:
        return Row(fault, None, str(error))
    finally:
        shader.write_text(text, encoding="utf-8")
    return Row(fault, reduced, _problem(fault, reduced, to))


def _problem(fault: Fault, reduced: ReductionResult, folder: Path) -> str:
    """Returns what is wrong with the folder, opened as a person does."""
    report = diff(Target(str(folder / PIPELINE))).report
    large = [each.tensor for each in reduced.sizes if max(each.now[-2:], default=1) > MOST_TEXELS]
    named = [found.cause for each in report.passes for found in each.findings]
    if len(report.passes) != 1 or large:
        return f"{len(report.passes)} passes, large: {large}"
    return "" if named[:1] == [fault.cause] else f"named {named}"


def _ejected(network: str, layout: str, scratch: Path) -> Path:
    folder = scratch / f"{network}-{layout}"
    if not folder.exists():
        eject(_drawn(network), folder, OpenOptions(layout=layout))
    return folder


def _shader(folder: Path, name: str) -> Path:
    passes = tomllib.loads((folder / PIPELINE).read_text(encoding="utf-8"))["pass"]
    found = next(each for each in passes if name in (each["name"], each["output"].get("name")))
    return folder / str(found["shader"])


@cache
def _drawn(network: str) -> onnx.ModelProto:
    """Returns the network with random weights everywhere: kernels normal, per-channel ones positive."""
    model = onnx.load(str(LIGHT / f"light_{network}.onnx"))
    shapes = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    random = np.random.default_rng(7)
    kept = []
    for node in model.graph.node:
        if node.op_type != "ConstantOfShape":
            kept.append(node)
            continue
        shape = tuple(int(size) for size in shapes[node.input[0]])
        deep = np.sqrt(2.0 / np.prod(shape[1:])) * random.standard_normal(shape)
        values = deep if len(shape) > 1 else random.uniform(0.2, 1.0, shape)
        model.graph.initializer.append(numpy_helper.from_array(values.astype(np.float32), node.output[0]))
    del model.graph.node[:]
    model.graph.node.extend(kept)
    return model


def _line(row: Row) -> str:
    if row.reduced is None:
        return f"✗ {row.fault.network} {row.fault.title}: {row.problem}"
    biggest = max(row.reduced.sizes, key=lambda each: int(np.prod(each.before)))
    sizes = f"{shape_text(biggest.before)} -> {shape_text(biggest.now)}"
    told = f"{row.fault.network:13}{row.fault.title:56}{row.fault.cause:22}{sizes:36}"
    return (
        f"{'✗' if row.problem else '●'} {told}{row.reduced.tried:4} tried {row.reduced.seconds:5.0f} s  {row.problem}"
    )


if __name__ == "__main__":
    sys.exit(main())
