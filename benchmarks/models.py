"""The nine networks that come inside the onnx package, pass by pass: which match, and how long they take.

    python -m benchmarks.models [NAME …] [--markdown FILE]

Each runs once on the input for which the package holds the expected output, in channel_tiles, or, where an
activation is too large for it, in the next layout that fits. A row gives the verdicts of all passes, the
worst isolated error over its rounding bound, the largest difference from the expected output, and seconds for
one run and for comparing it. Exit code 1 if any pass does not match.
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
from onnx import numpy_helper

import pipeline
from pipeline.errors import TexelscopeError
from pipeline.report import Report
from pipeline.session import Session

LIGHT = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
LAYOUTS = ("channel_tiles", "row_major_rgba")
HEADINGS = (
    "model",
    "layout",
    "passes",
    "match",
    "other",
    "worst error / bound",
    "output differs by",
    "run s",
    "compare s",
)


@dataclass(frozen=True)
class Row:
    """One model's figures; seconds are wall-clock, of one run each."""

    name: str
    report: Report
    output_difference: float
    run_seconds: float
    compare_seconds: float

    def cells(self) -> tuple[str, ...]:
        """The row's texts."""
        verdicts = Counter(each.verdict for each in self.report.passes)
        others = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items() if verdict != "match")
        worst = max((each.isolated.bound_ratio for each in self.report.passes if each.isolated), default=float("nan"))
        return (
            self.name,
            self.report.passes[0].layout,
            str(len(self.report.passes)),
            str(verdicts["match"]),
            others or "none",
            f"{worst:.2g}",
            f"{self.output_difference:.1e}",
            f"{self.run_seconds:.1f}",
            f"{self.compare_seconds:.1f}",
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
        rows.append(measure(name))
        print("  ".join(rows[-1].cells()), flush=True)
    if options.markdown:
        options.markdown.write_text(page(rows), encoding="utf-8")
    return 0 if all(each.verdict == "match" for row in rows for each in row.report.passes) else 1


def open_in_first_layout(path: Path) -> Session:
    """A session in the first of `LAYOUTS` that holds all activations."""
    for layout in LAYOUTS[:-1]:
        try:
            return pipeline.open(path, layout=layout)
        except TexelscopeError as error:
            if "a texture of at most" not in error.expected:
                raise
    return pipeline.open(path, layout=LAYOUTS[-1])


def measure(name: str) -> Row:
    """Runs one model on the package's input and compares every pass."""
    with open_in_first_layout(LIGHT / f"light_{name}.onnx") as session:
        for key in session.plan.inputs:
            shape = session.plan.textures[key].shape
            count = int(np.prod(shape))
            # The input that the package's own test runner makes where a model brings none.
            session.set_input(key, (np.arange(count, dtype=np.float32) / np.float32(count)).reshape(shape))
        start = time.perf_counter()
        session.run()
        session.finish()
        ran = time.perf_counter()
        report = session.compare()
        compared = time.perf_counter()
        output = session.tensor(session.plan.outputs[0]) if session.is_valid(session.plan.outputs[0]) else None
    expected = onnx.load_tensor(LIGHT / f"light_{name}_output_0.pb")
    difference = np.abs(output - numpy_helper.to_array(expected)).max() if output is not None else np.nan
    return Row(name, report, float(difference), ran - start, compared - ran)


def page(rows: Sequence[Row]) -> str:
    """The table as a Markdown page."""
    lines = [
        "# The networks of the onnx package",
        "",
        "Every pass compared with the oracle on its own inputs, on "
        f"{rows[0].report.device.renderer} (OpenGL {rows[0].report.device.version}).",
        "Where an activation does not fit a texture as `channel_tiles` (a flattened tensor of more than 16,384",
        "elements), the layout is the next that fits.",
        "Made by `python -m benchmarks.models --markdown docs/models.md`; seconds are of one run, with compilation.",
        "",
        f"| {' | '.join(HEADINGS)} |",
        f"|{'---|' * len(HEADINGS)}",
        *(f"| {' | '.join(row.cells())} |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
