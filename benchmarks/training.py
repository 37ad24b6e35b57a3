"""What a step of training costs beside a run of the model: forward, forward with backward, and the whole step.

    python -m benchmarks.training [MODEL] [--runs N] [--kinds] [--markdown docs/speed.md]

Of the facade generator, or of another model: a fused run with its weights as they are; the same with weights that are
inputs, as in training; that and the backward passes, for the gradients of all weights; a step of Adam, as `Trainer`
does it. All four in turns, medians, with every form tuned. Ratios are to the first: of the processor's time, which on a
software driver counts all threads and holds on a busy machine too, and by the clock. `--kinds` has instead where a
step's time goes, by kind of pass and form, each waited for.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.table import put_between
from texelscope import pipeline
from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.context import device_of, headless_context, limits_of
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.planning.planner import plan_graph
from texelscope.pipeline.training.trainer import Trainer

MODEL = Path("examples/facades/facades.onnx")
RUNS = 15
STEP = "step of Adam"
_SETTLING = 2


@dataclass(frozen=True)
class Times:
    """Milliseconds of each run, of the processor and by the clock."""

    processor: list[float]
    clock: list[float]


def main() -> int:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", nargs="?", type=Path, default=MODEL, metavar="MODEL", help="an .onnx file")
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help="of each way (%(default)s)")
    parser.add_argument("--kinds", action="store_true", help="where a step's time goes")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also put the table between the marks of a page")
    options = parser.parse_args()
    with ExitStack() as stack:
        context = headless_context()
        stack.callback(context.release)
        device = device_of(context)
        print(f"{device.renderer}, OpenGL {device.version}")
        trainer = stack.enter_context(Trainer(options.model, context=context))
        given = {name: _random(shape) for name, shape in trainer.takes.items()}
        target = given.pop(trainer.graph.target)
        for _ in range(_SETTLING):
            trainer.step(given, target)
            trainer.session.run_fused(settle=True)
        if options.kinds:
            print(_kinds(trainer, lambda: trainer.begin(given, target), options.runs))
            return 0
        fixed = stack.enter_context(pipeline.open(options.model, context=context))
        for name, value in given.items():
            fixed.set_input(name, value)
        limits, layout = limits_of(context), fixed.plan.textures[trainer.graph.inputs[0]].layout.name
        ways: dict[str, Callable[[], object]] = {"forward": _run_of(fixed)}
        values = {**trainer.graph.values, **given, trainer.graph.target: target}
        for title, outputs in {
            "forward, weights that are inputs": (trainer.graph.prediction,),
            "forward and backward": (trainer.loss, *trainer.gradients.values()),
        }.items():
            plan = plan_graph(_part(trainer.graph.graph, outputs), layout=layout, limits=limits)
            session = stack.enter_context(DebugSession(plan, context))
            for name in plan.inputs:
                session.set_input(name, values[name])
            ways[title] = _run_of(session)
        ways[STEP] = lambda: trainer.step(given, target)
        table = _table(_in_turns(ways, trainer.session.finish, options.runs))
        print(table)
        if options.markdown is not None:
            put_between(options.markdown, "training", f"{options.model.stem}, on {device.renderer}:\n\n{table}")
    return 0


def _random(shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.random.default_rng(0).random(shape, dtype=np.float32)


def _run_of(session: DebugSession) -> Callable[[], None]:
    """A fused run, all of whose forms are tuned."""
    for _ in range(_SETTLING):
        session.run_fused(settle=True)

    def run() -> None:
        with session.untimed():
            session.run_fused()

    return run


def _part(graph: Graph, outputs: tuple[str, ...]) -> Graph:
    """What of the graph makes those tensors."""
    needed, kept = set(outputs), []
    for node in reversed(graph.nodes):
        if not needed.isdisjoint(node.outputs):
            needed.update(node.inputs)
            kept.append(node)
    inputs = tuple(name for name in graph.inputs if name in needed)
    return dataclasses.replace(graph, nodes=tuple(reversed(kept)), inputs=inputs, outputs=outputs)


def _in_turns(ways: Mapping[str, Callable[[], object]], finish: Callable[[], None], runs: int) -> dict[str, Times]:
    found = {title: Times([], []) for title in ways}
    for _ in range(runs):
        for title, way in ways.items():
            finish()
            clock, processor = time.perf_counter(), time.process_time()
            way()
            finish()
            found[title].processor.append((time.process_time() - processor) * 1e3)
            found[title].clock.append((time.perf_counter() - clock) * 1e3)
    return found


def _table(found: Mapping[str, Times]) -> str:
    """A row a way: medians, and the shortest by the clock."""
    lines = ["| | processor ms | ratio | clock ms | least | ratio |", "|---|---:|---:|---:|---:|---:|"]
    first = next(iter(found.values()))
    base = statistics.median(first.processor), statistics.median(first.clock)
    for title, times in found.items():
        own = statistics.median(times.processor), statistics.median(times.clock)
        cells = (f"{own[0]:.1f}", f"{own[0] / base[0]:.2f}", f"{own[1]:.1f}", f"{min(times.clock):.1f}")
        lines.append(f"| {title} | {' | '.join(cells)} | {own[1] / base[1]:.2f} |")
    return "\n".join(lines)


def _kinds(trainer: Trainer, begin: Callable[[], None], runs: int) -> str:
    """Processor time by kind: the operators of a form's passes, or that of a pass alone; the largest first."""
    session = trainer.session
    items, plan = session.fused(), session.plan
    where = session.sharing().textures
    times: defaultdict[int, list[float]] = defaultdict(list)
    for _ in range(runs):
        begin()
        session.finish()
        with session.untimed():
            for i, item in enumerate(items):
                before = time.process_time()
                session.run_item(item, where)
                session.finish()
                times[i].append((time.process_time() - before) * 1e3)
        trainer.end()
    total, count = defaultdict[str, float](float), Counter[str]()
    for i, item in enumerate(items):
        names = item.covers if isinstance(item, Lowering) else (item,)
        kind = " > ".join(plan.pass_called(name).operator for name in names)
        total[kind] += statistics.median(times[i])
        count[kind] += 1
    lines = [
        f"{spent:8.2f} ms  {count[kind]:3} x {kind}" for kind, spent in sorted(total.items(), key=lambda each: -each[1])
    ]
    return "\n".join([*lines, f"{sum(total.values()):8.2f} ms  in all"])


if __name__ == "__main__":
    raise SystemExit(main())
