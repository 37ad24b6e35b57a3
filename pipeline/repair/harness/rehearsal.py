"""Programs of edits are compiled and drawn in another process first: a driver that dies of one ends nothing here."""

from __future__ import annotations

import time

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.repair.harness.pass_textures import PassTextures
from texelscope.pipeline.workers.apart import WorkerEndedError
from texelscope.pipeline.workers.standby import Standby

# A driver takes a fifth of a second for a large program, a machine with much to do some seconds; halves of what takes
# longer are compiled sooner. Once it took some it is known how long they take here, and so many times that is waited.
_SECONDS, _AT_LEAST, _TIMES = 5.0, 2.5, 4.0
_MOST_BYTES = 2 << 30
# So many programs are tried at the same time: what draws waits for them most of the time.
AT_ONCE = 2

# A vertex shader and the text beside it, or nothing and a compute shader.
_Program = tuple[str, str]


class Rehearsal:
    """Asks processes of its own, one of which is there from the first moment on; close it."""

    def __init__(self, stage: PassTextures | None = None) -> None:
        """Fragment shaders are drawn on that stage."""
        self._helpers = [_Helper(stage or PassTextures()) for _ in range(AT_ONCE)]
        self._helpers[0].start()
        self._seconds, self._slowest = _SECONDS, 0.0
        # Of programs that nobody has asked for yet whether they are taken, the last few.
        self._known: dict[_Program, bool] = {}

    def expect(self, vertex: str, text: str) -> None:
        """Begins on a program that is asked for soon, unless all processes are busy with others."""
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
        """Whether the driver takes a program, and lives; True too where nothing can be drawn without a window."""
        program = vertex, text
        self.expect(*program)
        if program in self._known:
            return self._known.pop(program)
        busy = next((each for each in self._helpers if each.program == program), None)
        if busy is None:  # all are busy with others
            busy = min(self._helpers, key=lambda each: each.since)
            self._keep(busy)
            busy.ask(program)
        return self._answer(busy)

    def _keep(self, helper: _Helper) -> None:
        """Notes what comes of the program that a process has."""
        program = helper.program
        answer = self._answer(helper)
        if program is not None:
            self._known[program] = answer
        for old in [*self._known][:-AT_ONCE]:
            del self._known[old]

    def _answer(self, helper: _Helper) -> bool:
        """Of the program that a process has. The slowest of those that are taken says how long others may take."""
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
    """A process that stands by, and the program that it has at the moment, since when."""

    def __init__(self, stage: PassTextures) -> None:
        self._standby = Standby(
            "texelscope.pipeline.repair.harness.rehearsed:rehearsed", "a shader tried apart", _MOST_BYTES
        )
        self._stage = stage
        self.program: _Program | None = None
        self.since = 0.0

    @property
    def has_answered(self) -> bool:
        """Whether it is known what comes of the program."""
        return self._standby.has_answered

    def start(self) -> None:
        """Begins the process, which is there soon; others begin with what they are asked for first."""
        self._standby.start()

    def ask(self, program: _Program) -> None:
        """Begins on a program."""
        self._standby.ask(*program, self._stage)
        self.program, self.since = program, time.monotonic()

    def answer(self, seconds: float) -> float | None:
        """The seconds that the program took, none where nothing can be drawn; None where it is not taken in time."""
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
