"""A clock that counts work instead of time: programs compiled, draws, and how often it was asked.

A search for repairs has so many seconds. On a busy machine it does less in them, and a test of what it finds fails.
With this clock in their places the same work is done everywhere, and the seconds are those of a quiet machine.
What is limited by its own processor time, or by the patience with another process, has `PATIENCE` times as long.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from unittest.mock import patch

from texelscope.pipeline.diagnose import locating, naming, one_by_one, search
from texelscope.pipeline.diagnose.evidence import gather, unset_uniforms
from texelscope.pipeline.repair import attempts, candidate_pool, repairing
from texelscope.pipeline.repair.harness import evaluator, held_out_inputs, rehearsal
from texelscope.pipeline.repair.harness.harness import Harness, Variant

# Modules that look at a clock while they search, name or gather.
LOOK = (attempts, candidate_pool, repairing, locating, naming, one_by_one, gather, unset_uniforms)
# As measured on a quiet machine with a software driver, for shaders of a page.
PROGRAM_SECONDS, DRAW_SECONDS = 0.1, 0.0015
# So that a search that draws nothing ends as well.
LOOK_SECONDS = 0.0001
# A processor may be so many times slower than the one that the limits were set on.
PATIENCE = 2.5
LIMITS = (
    (search, "COMBINED_SECONDS"), (search, "SEARCH_SECONDS"),
    (evaluator, "_TURNS_SECONDS"), (held_out_inputs, "_SECONDS"), (rehearsal, "_SECONDS"), (rehearsal, "_AT_LEAST"),
)  # fmt: skip


@dataclass
class WorkClock:
    """What was done since the clock was made."""

    programs: int = 0
    draws: int = 0
    looks: int = 0

    @property
    def seconds(self) -> float:
        """How long all of it takes on a quiet machine."""
        return self.programs * PROGRAM_SECONDS + self.draws * DRAW_SECONDS + self.looks * LOOK_SECONDS

    def look(self) -> float:
        """In place of `time.monotonic` and `time.perf_counter`."""
        self.looks += 1
        return self.seconds


@contextmanager
def counting_work() -> Iterator[WorkClock]:
    """Diagnosis and repair inside look at such a clock."""
    clock = WorkClock()
    compiled, run = Harness.compiled, Variant.run

    def counted_compiled(*arguments: object, **more: object) -> object:
        clock.programs += 1
        return compiled(*arguments, **more)  # type: ignore[arg-type]

    def counted_run(*arguments: object, **more: object) -> object:
        clock.draws += 1
        return run(*arguments, **more)  # type: ignore[arg-type]

    instead = SimpleNamespace(**{**vars(time), "monotonic": clock.look, "perf_counter": clock.look})
    with ExitStack() as patches:
        patches.enter_context(patch.object(Harness, "compiled", counted_compiled))
        patches.enter_context(patch.object(Variant, "run", counted_run))
        for module in LOOK:
            patches.enter_context(patch.object(module, "time", instead))
        for module, limit in LIMITS:
            patches.enter_context(patch.object(module, limit, PATIENCE * getattr(module, limit)))
        yield clock
