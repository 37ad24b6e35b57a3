"""Measures the memory that a fused run holds on the GPU, beside the tensors alive at once, and what saving it costs.

    python -m benchmarks.memory [NAME …] [--backend B] [--runs N] [--markdown docs/speed.md]

It measures the U-Net generator (`unet16`: 16 channels at first; `unet64` if named) and the networks inside the onnx
package, without weights, which are always there. *All tensors* is what a run holds that keeps every one of them;
*alive* are the inputs and the largest set of other tensors that is alive at once, the least that any run needs; *held*
is the most that a fused run holds of inputs, other tensors and the scratch of its forms. Where that takes textures or
buffers that are freed and made again, *made* is how many in each run, and *time* that of a run over that of one which
frees nothing, both in turns: medians, on a software driver of the processor over all its threads, which holds on a busy
machine too.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.models import LIGHT, pictures
from benchmarks.peers.table import put_between
from benchmarks.unet import build
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.device import DeviceInfo
from texelscope.pipeline.gl.context import device_of, headless_context, limits_of
from texelscope.pipeline.planning.memory import memory_use

UNET = "unet16"
HEADINGS = ("network", "all tensors", "alive", "held", "held / alive", "weights", "made", "time")
_MIB = float(1 << 20)


@dataclass(frozen=True)
class Row:
    """One network: bytes; objects made in each run; the time of a run over that of one which frees nothing."""

    name: str
    all_tensors: int
    alive: int
    held: int
    weights: int
    made: int
    time_ratio: float

    def cells(self) -> tuple[str, ...]:
        """Returns the texts under `HEADINGS`, MiB where they are bytes."""
        sizes = [f"{size / _MIB:.1f}" for size in (self.all_tensors, self.alive, self.held, self.weights)]
        return (
            self.name,
            *sizes[:3],
            f"{self.held / self.alive:.2f}",
            sizes[3],
            str(self.made),
            f"{self.time_ratio:.2f}",
        )


def main() -> int:
    """Measures the networks named on the command line, or all, and prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{UNET}, unet64, or without 'light_'")
    parser.add_argument("--backend", choices=("auto", "fragment", "compute"), default="auto")
    parser.add_argument("--runs", type=int, default=9, metavar="N", help="of each way (%(default)s)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also put the table between the marks of a page")
    options = parser.parse_args()
    names = options.names or [UNET, *sorted(path.stem.removeprefix("light_") for path in LIGHT.glob("*.onnx"))]
    print("  ".join(HEADINGS))
    rows = []
    with ExitStack() as stack:
        context = headless_context()
        stack.callback(context.release)
        device, is_software = device_of(context), limits_of(context).is_software
        for name in names:
            unet = re.fullmatch(r"unet(\d+)", name)
            target = build(ngf=int(unet[1])) if unet else LIGHT / f"light_{name}.onnx"
            sessions = [pipeline.open(target, backend=options.backend, context=context) for _ in range(2)]
            with sessions[0], sessions[1]:
                clock = time.process_time if is_software else time.perf_counter
                rows.append(measure(name, sessions[0], sessions[1], options.runs, clock))
            print("  ".join(rows[-1].cells()), flush=True)
    if options.markdown is not None:
        put_between(options.markdown, "memory", section(rows, device, options.backend))
    return 0


def measure(name: str, session: DebugSession, other: DebugSession, runs: int, clock: Callable[[], float]) -> Row:
    """Runs both sessions on the same model in turns, `other` without freeing anything."""
    for each in (session, other):
        (key,) = each.plan.inputs
        each.set_input(key, pictures(each.plan.textures[key].shape))
    for _ in range(2):
        session.run_fused(settle=True)
        other.run_fused(settle=True)
    times: tuple[list[float], list[float]] = ([], [])
    ways: Sequence[Callable[[DebugSession], None]] = (DebugSession.run_fused, _hold)
    for _ in range(runs):
        for taken, each, run in zip(times, (session, other), ways, strict=True):
            with each.untimed():
                start = clock()
                run(each)
                each.finish()
                taken.append(clock() - start)
    use, sharing = memory_use(session.plan), session.sharing()
    return Row(
        name,
        use.inputs + use.activations,
        sharing.held.alive,
        sharing.held.bytes,
        session.held().weights,
        sum(map(len, sharing.freed)),
        statistics.median(times[0]) / statistics.median(times[1]),
    )


def _hold(session: DebugSession) -> None:
    """Makes a fused run that frees nothing."""
    textures = session.sharing().textures
    for item in session.fused():
        session.run_item(item, textures)


def section(rows: Sequence[Row], device: DeviceInfo, backend: str) -> str:
    """Returns a section of a page."""
    lines = [
        f"MiB, backend `{backend}`, on {device.renderer}, OpenGL {device.version}.",
        "",
        f"| {' | '.join(HEADINGS)} |",
        "|---|" + "---:|" * (len(HEADINGS) - 1),
        *(f"| {' | '.join(row.cells())} |" for row in rows),
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
