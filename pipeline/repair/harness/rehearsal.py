"""Compiles and draws mutant schemata in another process first, so that a driver crash ends nothing here."""

from __future__ import annotations

import time

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.repair.harness.pass_textures import PassTextures
from texelscope.pipeline.workers.apart import WorkerEndedError
from texelscope.pipeline.workers.standby import Standby

# A driver needs a fifth of a second for a large program, a busy machine some seconds; halves of slower ones compile
# sooner. Once some are known, the limit is a multiple of their time.
_SECONDS, _AT_LEAST, _TIMES = 5.0, 2.5, 4.0
_MOST_BYTES = 2 << 30
# At most this many programs are tried at the same time; the drawing process mostly waits for them.
AT_ONCE = 2

# A vertex shader and the fragment shader, or nothing and a compute shader.
_Program = tuple[str, str]


class Rehearsal:
    """Uses processes of its own, of which one starts at once; close it."""

    def __init__(self, stage: PassTextures | None = None) -> None:
        """Fragment shaders are drawn on that stage."""
        self._helpers = [_Helper(stage or PassTextures()) for _ in range(AT_ONCE)]
        self._helpers[0].start()
        self._seconds, self._slowest = _SECONDS, 0.0
        # Results of programs that were started ahead, the last few.
        self._known: dict[_Program, bool] = {}

    def expect(self, vertex: str, text: str) -> None:
        """Starts a program that is needed soon, unless all processes are busy."""
        program = vertex, text
        if program in self._known or any(each.program == program for each in self._helpers):
            return
        for each in self._helpers:
            if each.program is not None and each.has_answered:
                self._keep(each)
        free = next((each for each in self._helpers if each.program is None), None)
        if free is not None:
            free.ask(program)

    def takes(self, vertex: str, text: str) -> bool:
        """Whether the driver accepts a program without a crash; also true if nothing can be drawn without a window."""
        program = vertex, text
        self.expect(*program)
        if program in self._known:
            return self._known.pop(program)
        busy = next((each for each in self._helpers if each.program == program), None)
        if busy is None:  # all are busy with other programs
            busy = min(self._helpers, key=lambda each: each.since)
            self._keep(busy)
            busy.ask(program)
        return self._answer(busy)

    def _keep(self, helper: _Helper) -> None:
        """Keeps the result of a process's program."""
        program = helper.program
        answer = self._answer(helper)
        if program is not None:
            self._known[program] = answer
        for old in [*self._known][:-AT_ONCE]:
            del self._known[old]

    def _answer(self, helper: _Helper) -> bool:
        """Returns whether a process's program is accepted. The slowest accepted one sets the limit for others."""
        took = helper.answer(max(self._seconds - (time.monotonic() - helper.since), _AT_LEAST / 10.0))
        if took is None:
            return False
        self._slowest = max(self._slowest, took)
        self._seconds = min(max(_TIMES * self._slowest, _AT_LEAST), _SECONDS)
        return True

    def close(self) -> None:
        """Ends the processes."""
        for each in self._helpers:
            each.close()


class _Helper:
    """A standby process, with its current program and when that was started."""

    def __init__(self, stage: PassTextures) -> None:
        self._standby = Standby(
            "texelscope.pipeline.repair.harness.rehearsed:rehearsed", "a shader tried apart", _MOST_BYTES
        )
        self._stage = stage
        self.program: _Program | None = None
        self.since = 0.0

    @property
    def has_answered(self) -> bool:
        """Whether its program's result is known."""
        return self._standby.has_answered

    def start(self) -> None:
        """Starts the process at once; others start with their first program."""
        self._standby.start()

    def ask(self, program: _Program) -> None:
        """Starts a program."""
        self._standby.ask(*program, self._stage)
        self.program, self.since = program, time.monotonic()

    def answer(self, seconds: float) -> float | None:
        """Returns the seconds that the program took, 0 if nothing can be drawn; None if refused or too late."""
        self.program = None
        try:
            took: float | None = self._standby.answer(seconds=seconds)
        except WorkerEndedError:
            return None
        except TexelscopeError:
            return 0.0
        return took

    def close(self) -> None:
        """Ends the process."""
        self._standby.close()
