"""Measures engines as processes in turns: first results from a cold start, then warm runs one by one."""

from __future__ import annotations

import base64
import json
import math
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.engines import ROOT, Engine, MissingEngineError, Places
from benchmarks.peers.model import About
from texelscope.pipeline.bench.timing import caches_in

Say = Callable[[str], None]
_END_SECONDS = 10
# Threads of some engines go on looking for work for a while: the next one is not to run beside them.
_PAUSE_SECONDS = 0.05


@dataclass(frozen=True)
class Peer:
    """Holds one engine's figures, milliseconds; or why there are none.

    `warm_ms` is the median of `runs` with the output read back, `first_ms` that of the starts, `off_by` the largest
    difference of its output from the first engine's.
    """

    name: str
    missing: str = ""
    version: str = ""
    driver: str = ""
    since: str = ""
    warm_ms: float = math.nan
    least_ms: float = math.nan
    runs: int = 0
    first_ms: float = math.nan
    off_by: float = math.nan


@dataclass(frozen=True)
class Turns:
    """Limits how often engines start, and how many rounds of warm runs they do, in so many seconds altogether.

    An engine that takes longer than `patience_s` to start does so once, and one that has run longer than that skips the
    later rounds, after `least_rounds`; one of which a single run takes longer runs once.
    """

    starts: int = 3
    least_rounds: int = 3
    most_rounds: int = 30
    seconds: float = 60.0
    patience_s: float = 30.0


class Worker:
    """Runs an engine's process, with separate caches that are empty at its start."""

    def __init__(self, engine: Engine, command: Sequence[str]) -> None:
        self._engine = engine
        self._caches = tempfile.TemporaryDirectory(prefix="texelscope-peer-", ignore_cleanup_errors=True)
        caches = caches_in(Path(self._caches.name))
        started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **caches},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            self.about = self._answer()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        # A browser's process starts another; it says itself how long that one took.
        self.first_ms = float(self.about.get("first_ms", (time.perf_counter() - started) * 1e3))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the process, gently at first: a browser has children."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        self._caches.cleanup()

    def run_ms(self) -> float:
        """Runs once, reads the output back, and returns the time by the engine's own clock."""
        return float(self._ask("run")["ms"])

    def output(self) -> NDArray[np.float32]:
        """Returns the output of the last run, flat."""
        return np.frombuffer(base64.b64decode(self._ask("output")["output"]), np.float32)

    def _ask(self, line: str) -> Mapping[str, Any]:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Mapping[str, Any]:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        line = self._process.stdout.readline()
        if not line:
            told = [text for text in self._process.stderr.read().splitlines() if text.strip()]
            # Node.js names the place first, Python the reason last.
            reasons = [text.strip() for text in told if "Error" in text] or told
            raise MissingEngineError(f"failed: {reasons[-1][:160] if reasons else 'it ended without a word'}")
        answer: Mapping[str, Any] = json.loads(line)
        return answer


def measure(engines: Sequence[Engine], at: Places, about: About, turns: Turns, say: Say) -> tuple[Peer, ...]:
    """Starts the engines one after another, then runs them in turns. Names those that cannot run."""
    failed: dict[str, str] = {}
    first: dict[str, list[float]] = {}
    with ExitStack() as stack:
        workers: dict[str, Worker] = {}
        for start in range(turns.starts):
            for engine in engines:
                if engine.name in failed or engine.name in workers:
                    continue
                say(f"start {start + 1} of {turns.starts}: {engine.name}")
                try:
                    with ExitStack() as starting:
                        worker = starting.enter_context(Worker(engine, engine.command(at)))
                        _check_work(worker.about, about)
                        first.setdefault(engine.name, []).append(worker.first_ms)
                        if start == turns.starts - 1 or worker.first_ms > turns.patience_s * 1e3:
                            workers[engine.name] = worker
                            stack.push(starting.pop_all())
                except MissingEngineError as reason:
                    failed[engine.name] = str(reason)
        times = _take_turns(workers, turns, say)
        outputs = {name: worker.output() for name, worker in workers.items()}
        right = next(iter(outputs.values()), np.zeros(0, np.float32))
        found = []
        for engine in engines:
            name = engine.name
            if name in failed:
                found.append(Peer(name, failed[name]))
            else:
                found.append(_peer(engine, workers[name].about, times[name], first[name], _off(outputs[name], right)))
        return tuple(found)


def _take_turns(workers: Mapping[str, Worker], turns: Turns, say: Say) -> dict[str, list[float]]:
    """Returns milliseconds of warm runs, one a round and engine, after one that counts only if it takes too long."""
    patience_ms = turns.patience_s * 1e3
    times = {name: [ms for ms in [worker.run_ms()] if ms > patience_ms] for name, worker in workers.items()}
    slow = {name for name, taken in times.items() if taken}
    deadline = time.perf_counter() + turns.seconds
    done = 0
    while done < turns.least_rounds or (done < turns.most_rounds and time.perf_counter() < deadline):
        for name, worker in workers.items():
            if name not in slow and (done < turns.least_rounds or sum(times[name]) < patience_ms):
                times[name].append(worker.run_ms())
                time.sleep(_PAUSE_SECONDS)
        done += 1
    say(f"{done} rounds")
    return times


def _check_work(told: Mapping[str, Any], about: About) -> None:
    """Raises MissingEngineError if an engine that builds the model itself has built another."""
    for name, wanted in (("parameters", about.parameters), ("macs", about.macs)):
        if told.get(name) not in (None, wanted):
            raise MissingEngineError(f"another model: {told[name]:,} {name}, the ONNX file has {wanted:,}")


def _off(output: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    return float(np.abs(output - right).max()) if output.shape == right.shape else math.inf


def _peer(
    engine: Engine, about: Mapping[str, Any], times: Sequence[float], first: Sequence[float], off_by: float
) -> Peer:
    return Peer(
        engine.name,
        version=str(about["version"]),
        driver=str(about["driver"]),
        since=engine.since,
        warm_ms=statistics.median(times),
        least_ms=min(times),
        runs=len(times),
        first_ms=statistics.median(first),
        off_by=off_by,
    )
