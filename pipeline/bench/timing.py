"""Times whole runs of several sessions in turns, the GPU time of every pass, and the first result of a new process."""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from texelscope.pipeline.bench.figures import FirstResults
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.quotas import Quotas
from texelscope.pipeline.start_marks import process_start
from texelscope.pipeline.target import OpenOptions, Target
from texelscope.pipeline.workers.own_process import own_command, own_environment, unseen

# The medians use at least, for slow runs, and at most this many whole runs, within this many seconds per way.
LEAST_RUNS, LEAST_LONG_RUNS, MOST_RUNS = 5, 2, 200
SECONDS, LONG_SECONDS = 3.0, 10.0
TIMED_RUNS = 5


@dataclass(frozen=True)
class TimedRuns:
    """Milliseconds of whole runs: until the driver has all commands, and until the GPU is done."""

    submit_ms: tuple[float, ...]
    frame_ms: tuple[float, ...]


def take_turns(ways: Sequence[tuple[Session, bool]], seconds: float = SECONDS) -> tuple[TimedRuns, ...]:
    """Runs each session on its present inputs, fused or not, in turns, after a warm-up run.

    The steady state is measured: tuned forms have replaced the others before.
    """
    taken: list[list[tuple[float, float]]] = [[] for _ in ways]
    for session, fused in ways:
        _one_run(session, fused=fused)
        if fused:
            session.run_fused(settle=True)
        while session.tune(after=1):
            pass
    while any(waiting := [_wants_more(times, seconds) for times in taken]):
        for (session, fused), times, wants in zip(ways, taken, waiting, strict=True):
            if wants:
                times.append(_one_run(session, fused=fused))
    return tuple(TimedRuns(*(tuple(column) for column in zip(*times, strict=True))) for times in taken)


def _wants_more(times: Sequence[tuple[float, float]], seconds: float) -> bool:
    spent = sum(frame_ms for _, frame_ms in times) / 1e3
    if len(times) < LEAST_RUNS:
        return len(times) < LEAST_LONG_RUNS or spent < LONG_SECONDS
    return len(times) < MOST_RUNS and spent < seconds


def pass_times(session: Session, runs: int = TIMED_RUNS) -> Mapping[str, float | None]:
    """Returns the median GPU time in milliseconds of each pass that ran; None where the driver reports none."""
    times: dict[str, list[float]] = {}
    for _ in range(runs):
        session.run()
        session.finish()
        for name in (each.name for each in session.plan.passes if session.has_run(each.name)):
            took = session.gpu_ms(name)
            times.setdefault(name, []).extend([] if took is None else [took])
    return {name: statistics.median(taken) if taken else None for name, taken in times.items()}


def _one_run(session: Session, *, fused: bool) -> tuple[float, float]:
    with session.untimed():
        run = session.run_fused if fused else session.run
        start = time.perf_counter()
        run()
        submitted = time.perf_counter()
        session.finish()
        return (submitted - start) * 1e3, (time.perf_counter() - start) * 1e3


# Options that cannot be passed to a child, which determines them itself.
_NOT_TOLD = ("values", "limits")


def first_results(target: Target) -> FirstResults:
    """Runs two processes, one after the other, that share caches which are empty before the first.

    Python's compiled modules are no part of them: both processes find these. Raises TexelscopeError if one fails.
    """
    with tempfile.TemporaryDirectory(prefix="texelscope-cold-") as folder:
        cold, warm = (_in_a_process(target, Path(folder)) for _ in range(2))
        cached = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    return FirstResults(cold, warm, cached)


def caches_in(folder: Path) -> dict[str, str]:
    """Returns environment variables with which Mesa, NVIDIA's driver and the program keep their caches in a folder."""
    return {
        "MESA_SHADER_CACHE_DIR": str(folder / "mesa"),
        "MESA_GLSL_CACHE_DIR": str(folder / "mesa"),
        "__GL_SHADER_DISK_CACHE": "1",
        "__GL_SHADER_DISK_CACHE_PATH": str(folder / "nvidia"),
        "XDG_CACHE_HOME": str(folder / "cache"),
    }


def _in_a_process(target: Target, caches: Path) -> float:
    for each in caches_in(caches).values():
        if each != "1":
            Path(each).mkdir(parents=True, exist_ok=True)  # NVIDIA's driver creates none
    done = subprocess.run(
        own_command("texelscope.pipeline.bench.timing"),
        input=as_text(target),
        env={**own_environment(), **caches_in(caches)},
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",  # of a driver
        creationflags=unseen(),
        check=False,
    )
    try:
        return float(done.stdout)
    except ValueError:
        raise TexelscopeError(
            "the first result in a new process",
            "a time",
            (done.stderr.strip().splitlines() or ["nothing"])[-1],
            "Run bench with --no-first to leave it out.",
        ) from None


def as_text(target: Target) -> str:
    """Writes a target as text for `target_of_text` in another process."""
    options = {
        each.name: _plain(getattr(target.options, each.name))
        for each in dataclasses.fields(OpenOptions)
        if each.name not in _NOT_TOLD
    }
    inject = list(target.inject)
    return json.dumps({"path": target.path, "options": options, "inputs": dict(target.inputs), "inject": inject})


def target_of_text(text: str) -> Target:
    """Reads the text of `as_text`."""
    told = json.loads(text)
    options = told["options"]
    options["shapes"] = {name: tuple(shape) for name, shape in options["shapes"].items()}
    options["quotas"] = Quotas(**options["quotas"])
    options["wrt"] = tuple(options["wrt"])
    return Target(told["path"], OpenOptions(**options), told["inputs"], tuple(told["inject"]))


def _plain(value: Any) -> Any:
    if isinstance(value, Quotas):
        return dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return value if isinstance(value, str | bool | int | float | None) else [*map(_plain, value)]


def main() -> None:
    """Runs the target that standard input names and prints the milliseconds from the start of this process."""
    from texelscope.pipeline.opening import open_session, set_inputs

    told = target_of_text(sys.stdin.read())
    output = os.dup(1)
    os.dup2(2, 1)  # what a driver prints is no figure
    with open_session(told.path, told.options) as session:
        set_inputs(session, told)
        session.run_fused()
        for key in session.plan.outputs:
            if session.is_valid(key):
                session.tensor(key)
        os.write(output, f"{(time.time() - process_start()) * 1e3}\n".encode())


if __name__ == "__main__":
    main()
