"""Compiles and draws mutant schemata in another process first, so that a driver crash ends nothing here.

A driver compiles a shader's machine code for exactly the formats and state of a draw. A program drawn with the same
ones in another process fills the driver's cache on disk, so that it starts at once in this process.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from functools import cache

import moderngl

from texelscope.pipeline.errors import TexelscopeError, UnsupportedError
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.gl.dispatching.sampled_views import made_texels, set_unit
from texelscope.pipeline.gl.program import compiled, compiled_dispatch
from texelscope.pipeline.gl.state import TargetGeometry, pass_state
from texelscope.pipeline.gl.textures import sampler_of
from texelscope.pipeline.plan import Pass, Plan, Sampler
from texelscope.pipeline.planning.sampler_views import texel_dtype, view_size
from texelscope.pipeline.workers.apart import WorkerEndedError
from texelscope.pipeline.workers.standby import SpareStandbys

# A driver needs a fifth of a second for a large program, a busy machine some seconds; halves of slower ones compile
# sooner. Once some are known, the limit is a multiple of their time.
_SECONDS, _AT_LEAST, _TIMES = 5.0, 2.5, 4.0
_MOST_BYTES = 2 << 30
# At most this many programs are tried at the same time; the drawing process mostly waits for them.
AT_ONCE = 2
# The next wrong pass, and the next save of a shader, find the processes started within these seconds. A driver's
# compiler keeps some memory of each program.
_SPARE_SECONDS, _MOST_PROGRAMS = 20.0, 500

# A vertex shader and the fragment shader, or nothing and a compute shader.
_Program = tuple[str, str]


@dataclass(frozen=True)
class SampledTexture:
    """A texture bound to a sampler has a unit, a size in texels (x first), and lanes of a type, numpy's name."""

    sampler: Sampler
    unit: int
    size: tuple[int, ...]
    lanes: int
    dtype: str


@dataclass(frozen=True)
class PassTextures:
    """The inputs of a pass, and width, height and lanes of each of its float32 targets."""

    reads: tuple[SampledTexture, ...] = ()
    targets: tuple[tuple[int, int, int], ...] = ((1, 1, 4),)


def stage_of(plan: Plan, shader_pass: Pass) -> PassTextures:
    """Returns the stage of a pass that is drawn."""
    reads = []
    for unit, sampler in enumerate(shader_pass.samplers):
        stored = plan.textures[sampler.key]
        dtype = texel_dtype(stored, sampler).name
        anyones = dataclasses.replace(sampler, key="")  # scenes serve tensors alike
        reads.append(SampledTexture(anyones, unit, view_size(stored, sampler), stored.layout.lanes, dtype))
    made = (plan.textures[key] for key in shader_pass.outputs)
    return PassTextures(tuple(reads), tuple((*each.texture_shape[::-1], each.layout.lanes) for each in made))


def rehearsed(vertex: str, text: str, stage: PassTextures) -> float | None:
    """Compiles a program and draws a texel with it, in that process; returns the seconds it took, None if refused.

    Without a vertex shader it is a compute shader, which is not dispatched: it has no buffers bound to write to.
    """
    start = time.monotonic()
    try:
        if vertex:
            _stand().scene(stage).draw(vertex, text)
        else:
            compiled_dispatch(_stand().context, text, "a shader").release()
    except (moderngl.Error, UnsupportedError):
        return None
    return time.monotonic() - start


@cache
def _stand() -> _Stand:
    """Returns the only stand of the standby process."""
    return _Stand()


class _Stand:
    """Holds the context of the standby process and the scene of the latest stage."""

    def __init__(self) -> None:
        self.context = headless_context()
        self._latest: tuple[PassTextures, Scene] | None = None

    def scene(self, stage: PassTextures) -> Scene:
        """Returns the scene of a stage; that of another stage is released."""
        if self._latest is not None and self._latest[0] == stage:
            return self._latest[1]
        latest, self._latest = self._latest, None
        if latest is not None:
            latest[1].release()
        self._latest = stage, Scene(self.context, stage)
        return self._latest[1]


class Scene:
    """A scene is a stage with empty textures; release it. GL thread."""

    def __init__(self, context: moderngl.Context, stage: PassTextures) -> None:
        self._context, self._stage = context, stage
        self._geometry = TargetGeometry(context)
        self._textures = [
            made_texels(context, read.sampler.kind, read.size, read.lanes, read.dtype) for read in stage.reads
        ]
        self._samplers = [sampler_of(context, read.sampler.filter, read.sampler.wrap) for read in stage.reads]
        made = [context.texture((width, height), lanes, dtype="f4") for width, height, lanes in stage.targets]
        self._target = context.framebuffer(made)

    def draw(self, vertex: str, fragment: str) -> None:
        """Compiles a program and draws one texel with it. Raises moderngl.Error if the driver refuses it."""
        program = compiled(self._context, vertex, fragment)
        array = self._geometry.vertex_array(program)
        with pass_state(self._context, self._target):
            self._target.scissor = (0, 0, 1, 1)
            for read, texture, sampler in zip(self._stage.reads, self._textures, self._samplers, strict=True):
                if program.get(read.sampler.uniform, None) is not None:
                    texture.use(read.unit)
                    sampler.use(read.unit)
                    set_unit(program, read.sampler, read.unit)
            array.render(moderngl.TRIANGLES, vertices=3)
            self._context.finish()
        array.release()
        program.release()

    def release(self) -> None:
        """Frees all GL objects."""
        for each in (self._target, *self._target.color_attachments, *self._textures, *self._samplers):
            each.release()
        self._geometry.release()


@cache
def _spares() -> SpareStandbys:
    """Returns the processes that no rehearsal uses, and by which new ones are made."""
    return SpareStandbys(
        "texelscope.pipeline.repair.harness.rehearsal:rehearsed",
        "a shader tried apart",
        _MOST_BYTES,
        most=AT_ONCE,
        seconds=_SPARE_SECONDS,
        most_calls=_MOST_PROGRAMS,
    )


class Rehearsal:
    """Uses processes, of which one starts at once, that nobody else uses meanwhile; close it."""

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
        """Leaves the processes to the next rehearsal."""
        for each in self._helpers:
            each.close()


class _Helper:
    """A standby process, with its current program and when that was started."""

    def __init__(self, stage: PassTextures) -> None:
        self._standby = _spares().take()
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
        """Leaves the process to the next; without a second call."""
        _spares().give_back(self._standby)
