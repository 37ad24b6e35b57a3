"""The nine networks that come inside the onnx package, pass by pass: which match, and how long they take.

    python -m benchmarks.models [NAME …] [--markdown FILE]

Each runs once on the input for which the package holds the expected output, with the options that hold by default;
those in `BATCHED` also on three pictures at once, that input first. A row gives the verdicts of all passes, the worst
isolated error over its rounding bound, the largest difference from the expected output (of the first picture), and,
in the terminal alone, seconds for one run and for comparing it. Exit code 1 if any pass does not match.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

from texelscope import pipeline
from texelscope.pipeline.compare.report import Report
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.graph import Shape

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
# Networks without a Reshape, so that nothing in the file but its first dimension says how many pictures there are.
BATCHED = ("densenet121", "squeezenet")
BATCH = 3
HEADINGS = (
    "model",
    "batch",
    "layouts",
    "passes",
    "match",
    "other",
    "worst error / bound",
    "output differs by",
)


@dataclass(frozen=True)
class Row:
    """One model's figures; seconds are wall-clock, of one run each."""

    name: str
    batch: int
    report: Report
    output_difference: float
    run_seconds: float
    compare_seconds: float

    def cells(self) -> tuple[str, ...]:
        """The texts under `HEADINGS`."""
        verdicts = Counter(each.verdict for each in self.report.passes)
        others = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items() if verdict != "match")
        worst = max((each.isolated.bound_ratio for each in self.report.passes if each.isolated), default=float("nan"))
        return (
            self.name,
            str(self.batch),
            ", ".join(name for name, _ in Counter(each.layout for each in self.report.passes).most_common()),
            str(len(self.report.passes)),
            str(verdicts["match"]),
            others or "none",
            f"{worst:.2g}",
            f"{self.output_difference:.1e}",
        )


def main() -> int:
    """Runs the models named on the command line, or all, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="without 'light_'; all by default")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table as a page")
    options = parser.parse_args()
    names = options.names or sorted(path.stem.removeprefix("light_") for path in LIGHT.glob("*.onnx"))
    rows = []
    for name in names:
        for batch in (1, BATCH) if name in BATCHED else (1,):
            rows.append(measure(name, batch))
            seconds = f"run {rows[-1].run_seconds:.1f} s  compare {rows[-1].compare_seconds:.1f} s"
            print("  ".join((*rows[-1].cells(), seconds)), flush=True)
    if options.markdown:
        options.markdown.write_text(page(rows), encoding="utf-8")
    return 0 if all(each.verdict == "match" for row in rows for each in row.report.passes) else 1


def for_any_batch(path: Path) -> onnx.ModelProto:
    """The model with the first dimension of its data and its outputs left open."""
    model = onnx.load(path)
    weights = {initializer.name for initializer in model.graph.initializer}
    for value in (*(each for each in model.graph.input if each.name not in weights), *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "batch"
    del model.graph.value_info[:]
    return model


def batched(name: str, batch: int) -> DebugSession:
    """A session on one of the networks with `batch` pictures, their values set."""
    path = LIGHT / f"light_{name}.onnx"
    if batch == 1:
        session = pipeline.open(path)
    else:
        (key,) = pipeline.plan_of(path).inputs
        session = pipeline.open(for_any_batch(path), shapes={key: (batch, 3, 224, 224)})
    (key,) = session.plan.inputs
    session.set_input(key, pictures(session.plan.textures[key].shape))
    return session


def pictures(shape: Shape) -> NDArray[np.float32]:
    """float32 of `shape` [n, c, h, w]: the input that the package's test runner makes, then others of its range."""
    count = np.float32(np.prod(shape[1:]))
    ramp = (np.arange(count, dtype=np.float32) / count).reshape(shape[1:])
    return np.stack([ramp, ramp[:, ::-1, ::-1], ramp**2][: shape[0]])


def measure(name: str, batch: int = 1) -> Row:
    """Runs one model and compares every pass, and the first picture's result with the package's."""
    with batched(name, batch) as session:
        start = time.perf_counter()
        session.run()
        session.finish()
        ran = time.perf_counter()
        report = session.compare()
        compared = time.perf_counter()
        output = session.tensor(session.plan.outputs[0]) if session.is_valid(session.plan.outputs[0]) else None
    expected = onnx.load_tensor(LIGHT / f"light_{name}_output_0.pb")
    difference = np.abs(output[:1] - numpy_helper.to_array(expected)).max() if output is not None else np.nan
    return Row(name, batch, report, float(difference), ran - start, compared - ran)


def page(rows: Sequence[Row]) -> str:
    """The table as a Markdown page."""
    lines = [
        "# The networks of the onnx package",
        "",
        "Every pass compared with the oracle on its own inputs, on "
        f"{rows[0].report.device.renderer} (OpenGL {rows[0].report.device.version}).",
        "Each tensor has the layout that suits its shape (`--layout auto`). With a batch of three the first picture is",
        "that of the package, and its output is compared with the package's.",
        "Made by `python -m benchmarks.models --markdown docs/networks.md`, which also prints how long each takes.",
        "",
        f"| {' | '.join(HEADINGS)} |",
        f"|{'---|' * len(HEADINGS)}",
        *(f"| {' | '.join(row.cells())} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
