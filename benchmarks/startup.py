"""Measures a start step by step: the demo compared, the U-Net's first result, the window's first picture.

    .venv/bin/python -m benchmarks.startup [diff|bench|window|large …] [--runs N] [--json FILE]

Each start is a separate process. *Warm* starts find the shader cache of the driver as a start before has left it,
*cold* ones an empty folder in its place: of Mesa's drivers by MESA_SHADER_CACHE_DIR, of NVIDIA's by
__GL_SHADER_DISK_CACHE_PATH. Prints the median of each step; without a display one is made for the window (Xvfb).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import onnx

from benchmarks.unet import build
from tests.gui.virtual_display import VirtualDisplay
from texelscope.pipeline.installation import SHIPPED

RUNS = 5
# A start that has not ended by then has failed.
PATIENCE_SECONDS = 120.0
CACHES = ("warm", "cold")
_MARK = re.compile(r"^(?P<step>[a-z ]+?) +(?P<wall>\d+\.\d+) s, +(?P<cpu>\d+\.\d+) s of CPU$")


@dataclass(frozen=True)
class Case:
    """Names a command and the step at which its start is over; the window would go on."""

    name: str
    words: tuple[str, ...]
    last: str


@dataclass(frozen=True)
class Step:
    """Times a step of a start, in seconds since the process began: by the clock, and worked by all its threads."""

    step: str
    wall: float
    cpu: float


@dataclass(frozen=True)
class Figures:
    """Holds the median of each step, with the driver's cache warm or cold; `walls` is the last step of each run."""

    case: str
    cache: str
    steps: tuple[Step, ...]
    walls: tuple[float, ...]


def cases(folder: Path) -> Mapping[str, Case]:
    """Returns the starts that are measured; models that they need are written to `folder`."""
    unet, large = folder / "unet16.onnx", folder / "unet64.onnx"
    onnx.save(build(ngf=16), unet)
    onnx.save(build(ngf=64), large)
    return {
        "diff": Case("the bundled demo, compared (diff)", ("diff",), "compared"),
        "bench": Case("U-Net of 16 filters, first result (bench)", ("bench", str(unet)), "ran"),
        "window": Case("the window on the bundled demo", (), "compared"),
        "large": Case("the window on a U-Net of 54 million parameters, first picture", (str(large),), "first picture"),
    }


def step_of(line: str) -> Step | None:
    """Parses the step in a line of `--debug`; None for any other line."""
    found = _MARK.match(line.rstrip())
    return Step(found["step"], float(found["wall"]), float(found["cpu"])) if found is not None else None


def one_start(words: Sequence[str], last: str, environment: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    """Starts the program in another process and ends it after `last`; returns wall and CPU seconds of each step.

    Raises RuntimeError, with what the program said, if it ends before.
    """
    entry = str(SHIPPED / "app.py")
    command = [sys.executable, entry, *words, "--debug"]
    marks: dict[str, tuple[float, float]] = {}
    said: list[str] = []
    with subprocess.Popen(
        command, env=dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        end = threading.Timer(PATIENCE_SECONDS, process.kill)
        end.start()
        try:
            assert process.stderr is not None
            for line in process.stderr:
                found = step_of(line)
                if found is None:
                    said.append(line)
                    continue
                marks[found.step] = (found.wall, found.cpu)
                if found.step == last:
                    break
        finally:
            end.cancel()
            process.kill()
    if last not in marks:
        raise RuntimeError(f"{' '.join(command)} ended before '{last}': {''.join(said)}")
    return marks


def measure(case: Case, cache: str, runs: int) -> Figures:
    """Starts a case `runs` times, after one more that fills the caches of byte code and shaders."""
    with tempfile.TemporaryDirectory(prefix="startup-") as home:
        found = []
        for number in range(runs + 1):
            shaders = Path(home) / (f"shaders{number}" if cache == "cold" else "shaders")
            shaders.mkdir(exist_ok=True)
            found.append(one_start(case.words, case.last, _environment(Path(home), shaders)))
    found = found[1:]
    # The order of the first run: a window's plan is made in a thread, beside its frames.
    steps = tuple(
        Step(step, *(statistics.median(each[step][which] for each in found if step in each) for which in (0, 1)))
        for step in found[0]
    )
    return Figures(case.name, cache, steps, tuple(each[case.last][0] for each in found))


def _environment(home: Path, shaders: Path) -> dict[str, str]:
    """Returns an environment of a returning user, but for the shaders' cache; without this user's settings."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    paths = {"MESA_SHADER_CACHE_DIR": shaders, "__GL_SHADER_DISK_CACHE_PATH": shaders, "XDG_CONFIG_HOME": home}
    return {**kept, **{name: str(path) for name, path in paths.items()}}


def text(found: Figures) -> str:
    """Formats a table for a terminal."""
    head = f"{found.case}, shader cache {found.cache}"
    lines = [f"  {each.step:16} {each.wall:7.2f} s {each.cpu:7.2f} s of CPU" for each in found.steps]
    runs = ", ".join(f"{each:.2f}" for each in sorted(found.walls))
    return "\n".join([head, *lines, f"  (runs: {runs})"])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help="diff, bench, window, large (default: all)")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"starts of each (default {RUNS})")
    parser.add_argument("--cache", choices=CACHES, action="append", help="warm or cold (default: both)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures as JSON")
    options = parser.parse_args()
    all_figures = []
    with ExitStack() as stack:
        known = cases(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        wanted = options.cases or [*known]
        if unknown := set(wanted) - set(known):
            parser.error(f"expected some of {', '.join(known)}, got {', '.join(sorted(unknown))}")
        if {"window", "large"} & set(wanted) and not os.environ.get("DISPLAY"):
            os.environ["DISPLAY"] = stack.enter_context(VirtualDisplay()).name
        for name in wanted:
            for cache in options.cache or CACHES:
                all_figures.append(measure(known[name], cache, options.runs))
                print(text(all_figures[-1]), flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(each) for each in all_figures], indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
