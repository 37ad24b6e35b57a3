"""How long it takes to name a planted culprit, and on which thread.

    python -m benchmarks.diagnose [--only NAME] [--repeats N] [--cores N]

Each bug is an edit of one pass's generated shader: a convolution early, in the middle and late, and what stands
between. The network runs and is compared; then the clock starts: evidence is gathered on the thread that owns the GL
context (the window's), in steps between which a window draws, and explained in a worker thread, as the window does
it. Seconds are wall-clock; `step` is the longest time for which the window could not draw, and `cpu` is that of the
whole process, the software driver's threads included. The process keeps to two cores. Exit code 1 if a median is over
its bar, if a bug is not named, or if more than half of all time was the window's thread's.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.models import LIGHT
from texelscope import pipeline
from texelscope.pipeline.compare.capture import Capture
from texelscope.pipeline.compare.comparer import Comparer
from texelscope.pipeline.compare.figures import wrong_elements
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.diagnose.evidence.evidence import Evidence
from texelscope.pipeline.diagnose.evidence.gather import Gathering
from texelscope.pipeline.diagnose.explain import Diagnosis, explain

ROOT = Path(__file__).resolve().parent.parent
FACADES = ROOT / "examples" / "facades" / "facades.onnx"
# Of all the time of the diagnoses of a network, at most this share on the window's thread.
WINDOW_SHARE = 0.5


@dataclass(frozen=True)
class Bug:
    """An edit of the shader of the pass `name`: `new` in place of `old`, to be named one of `causes`."""

    name: str
    causes: tuple[str, ...]
    old: str
    new: str


@dataclass(frozen=True)
class Network:
    """A model and the bugs to plant in it, one at a time; the median may take `bar` seconds."""

    name: str
    path: Path
    bar: float
    bugs: tuple[Bug, ...]


@dataclass(frozen=True)
class Times:
    """Seconds of one diagnosis: gathering on the GL thread, its longest step, explaining in the worker, and CPU."""

    gather: float
    step: float
    explain: float
    cpu: float
    said: tuple[str, ...]

    @property
    def wall(self) -> float:
        """From the comparison to the name."""
        return self.gather + self.explain


def shifted(name: str) -> Bug:
    """Reads one to the right."""
    return Bug(name, ("shift",), "int x = origin.y + q * DILATION_X;", "int x = origin.y + q * DILATION_X + 1;")


def without_bias(name: str) -> Bug:
    """The bias is left out."""
    return Bug(name, ("bias_missing",), "sum += B(ivec4(0, 0, 0, at.y));", "")


def transposed(name: str) -> Bug:
    """A kernel's rows for its columns."""
    return Bug(name, ("kernel_transpose",), "W(ivec4(at.y, i, p, q))", "W(ivec4(at.y, i, q, p))")


def bleeding(name: str) -> Bug:
    """No test for the left and right border."""
    return Bug(name, ("tile_bleed", "padding_mode"), "if (x < 0 || x >= X_shape.w) continue;", "")


def short(name: str) -> Bug:
    """The last channel is left out."""
    return Bug(name, ("missing_channels",), "i < W_shape.y; i++", "i < W_shape.y - 1; i++")


def next_filter(name: str) -> Bug:
    """Every output by the next one's filter."""
    return Bug(name, ("filter_offset",), "W(ivec4(at.y, i, p, q))", "W(ivec4((at.y + 1) % W_shape.x, i, p, q))")


NETWORKS = (
    Network(
        "facades",
        FACADES,
        3.0,
        (
            shifted("down1"),
            transposed("down3"),
            without_bias("down5"),
            next_filter("up5"),
            short("up4"),
            bleeding("up2"),
            transposed("up1"),
            Bug("up3_act", ("activation_missing",), "return greater_of(x, 0.0);", "return x;"),
        ),
    ),
    Network(
        "light_squeezenet",
        LIGHT / "light_squeezenet.onnx",
        10.0,
        (
            shifted("n0"),
            short("n3"),
            bleeding("n14"),
            shifted("n29"),
            short("n44"),
            shifted("n58"),
            short("n62"),
        ),
    ),
)


def main() -> int:
    """Plant all bugs, one after the other, and print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", help="networks with this in their name")
    parser.add_argument("--repeats", type=int, default=3, help="diagnoses of each bug (3)")
    parser.add_argument("--cores", type=int, default=2, help="cores to keep to (2)")
    options = parser.parse_args()
    _keep_to(options.cores)
    good = True
    print(f"{'seconds':42}{'wall':>7}{'gather':>8}{'step':>7}{'explain':>9}{'cpu':>7}  said")
    for network in NETWORKS:
        if options.only in network.name:
            good &= _judge(network, _measure(network, options.repeats))
    return 0 if good else 1


def _keep_to(cores: int) -> None:
    """Before GL starts: a software driver makes as many threads as it may use cores."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def _measure(network: Network, repeats: int) -> Mapping[Bug, Sequence[Times]]:
    with pipeline.open(network.path) as session:
        for key in session.plan.inputs:
            shape = session.plan.textures[key].shape
            session.set_input(key, np.random.default_rng(7).standard_normal(shape).astype(np.float32))
        comparer = Comparer(session.plan)
        found = {}
        for bug in network.bugs:
            found[bug] = [_named(session, comparer, bug) for _ in range(repeats)]
            _show(network, bug, found[bug])
    return found


def _named(session: DebugSession, comparer: Comparer, bug: Bug) -> Times:
    """The bug planted, the network run and compared, the diagnosis timed, the shader put right."""
    right = session.program_source(bug.name).fragment
    if right.count(bug.old) != 1:
        raise SystemExit(f"{bug.name}: expected '{bug.old}' once in its shader, got {right.count(bug.old)}")
    session.replace_shader(bug.name, right.replace(bug.old, bug.new))
    try:
        session.run()
        session.finish()
        capture = session.capture()
        report = comparer.compare(capture)
        if report.culprit != bug.name:
            raise SystemExit(f"{bug.name}: expected to be the first wrong pass, got {report.culprit}")
        return _timed(session, comparer, capture, bug)
    finally:
        session.replace_shader(bug.name, right)


def _timed(session: DebugSession, comparer: Comparer, capture: Capture, bug: Bug) -> Times:
    each = session.plan.find(bug.name)
    assert each is not None
    cpu, start = time.process_time(), time.perf_counter()
    wrong = wrong_elements(capture.tensors[each.output], comparer.isolated_values()[each.output])
    gathering = Gathering(session, capture, bug.name, wrong)
    steps = [start, time.perf_counter()]
    while gathering.step():
        steps.append(time.perf_counter())
    evidence = gathering.evidence
    gathered = time.perf_counter()
    diagnosis = _in_a_worker(evidence)
    end = time.perf_counter()
    return Times(
        gathered - start,
        max(after - before for before, after in zip(steps, [*steps[1:], gathered], strict=True)),
        end - gathered,
        time.process_time() - cpu,
        tuple(finding.cause for finding in diagnosis.findings),
    )


def _in_a_worker(evidence: Evidence) -> Diagnosis:
    found: list[Diagnosis] = []
    thread = threading.Thread(target=lambda: found.append(explain(evidence)))
    thread.start()
    thread.join()
    return found[0]


def _show(network: Network, bug: Bug, times: Sequence[Times]) -> None:
    figures = (
        statistics.median(getattr(each, name) for each in times) for name in ("wall", "gather", "step", "explain")
    )
    cells = "".join(f"{figure:{width}.2f}" for figure, width in zip(figures, (7, 8, 7, 9), strict=True))
    cpu = statistics.median(each.cpu for each in times)
    said = ", ".join(times[0].said) or "nothing"
    print(f"{f'{network.name} {bug.name}, {bug.causes[0]}':42}{cells}{cpu:7.2f}  {said}", flush=True)


def _judge(network: Network, found: Mapping[Bug, Sequence[Times]]) -> bool:
    """Prints the median and the worst; False if anything is not as it should be."""
    times = [each for some in found.values() for each in some]
    walls = [each.wall for each in times]
    share = sum(each.gather for each in times) / sum(walls)
    misses = [bug.name for bug, some in found.items() if any(_misses(bug, each) for each in some)]
    is_good = statistics.median(walls) <= network.bar and share <= WINDOW_SHARE and not misses
    print(
        f"{network.name}: median {statistics.median(walls):.2f} s, worst {max(walls):.2f} s, bar {network.bar:.0f} s; "
        f"{share:.0%} on the window's thread, longest step {max(each.step for each in times):.2f} s; "
        f"not named: {', '.join(misses) or 'none'}; {'good' if is_good else 'NOT GOOD'}",
        flush=True,
    )
    return is_good


def _misses(bug: Bug, times: Times) -> bool:
    return not times.said or times.said[0] not in bug.causes


if __name__ == "__main__":
    sys.exit(main())
