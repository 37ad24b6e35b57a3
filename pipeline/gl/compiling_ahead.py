"""Compiles the programs of forms on a second core, before a run comes to them.

llvmpipe generates a program's machine code at its first draw, for that program and for the formats of what is bound and
whether its sides are powers of two, and keeps it in a cache on disk. A thread with a context of its own draws one pixel
of each form, the last form first, with textures of one texel or of 3x3. The run's own first draw then finds the code.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.gl.context import headless_context
from texelscope.pipeline.gl.lowering_runner import LoweringRunner
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.gl.state import release_framebuffer
from texelscope.pipeline.gl.textures import sampler_of, texture_in
from texelscope.pipeline.lowerings.fusion.room import Format, format_of
from texelscope.pipeline.lowerings.lowering import (
    Lowering,
    LoweringStep,
    PackedConstants,
    is_power_of_two,
    room_for,
)
from texelscope.pipeline.plan import Sampler, StoredTensor

_LOG = logger(__name__)
_TEXEL_BYTES = 16
_NOTHING = PackedConstants("nothing", lambda _constant: np.zeros((1, 4), np.float32))


def _no_constant(name: str) -> NDArray[Any]:
    raise KeyError(name)


class CompilingAhead:
    """Compiles `forms`, in the order of a run, from the last to the one that the run has reached."""

    def __init__(self, forms: Sequence[Lowering], textures: Mapping[str, StoredTensor]) -> None:
        """Starts the thread. `textures` are the plan's."""
        self._forms = forms
        self._textures = textures
        self._reached: set[int] = set()
        self._is_over = threading.Event()
        self.compiled = 0
        self._thread = threading.Thread(target=self._work, name="compiling ahead")
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether the thread still compiles."""
        return self._thread.is_alive()

    def reach(self, form: Lowering) -> None:
        """Notes that the run compiles this form itself."""
        self._reached.add(id(form))

    def close(self) -> None:
        """Ends the thread, once it is done with the form that it compiles."""
        self._is_over.set()
        self._thread.join()

    def wait(self) -> None:
        """Waits until every form is compiled."""
        self._thread.join()

    def _work(self) -> None:
        try:
            context = headless_context()
            try:
                self._compile(context)
            finally:
                context.release()
        except Exception as error:  # noqa: BLE001 - the run compiles for itself, and reports what is wrong
            _LOG.info("compiling ahead ended: %s", error)

    def _compile(self, context: moderngl.Context) -> None:
        textures = _SmallTextures(context)
        runner = LoweringRunner(context, textures, ProgramCache(context))
        runner.lets_others_run = True
        try:
            for form in reversed(self._forms):
                # A program that ends does not wait for what it will not run.
                ends = self._is_over.is_set() or not threading.main_thread().is_alive()
                if ends or id(form) in self._reached:
                    return
                if all(map(_is_draw, form.steps)):
                    small = _smaller(form)
                    runner.prepare(small, self._textures, _no_constant)
                    runner.run(small, self._textures)
                    self.compiled += 1
        finally:
            runner.release()
            textures.release()


def _is_draw(step: LoweringStep) -> bool:
    return step.kind == "fragment" and not step.blocks


def _smaller(form: Lowering) -> Lowering:
    """Returns the form with draws of one pixel, that read and write next to nothing, for the same machine code."""
    return replace(
        form,
        steps=tuple(replace(step, size=(1, 1, 1), packed=(_NOTHING,) * len(step.packed)) for step in form.steps),
        scratch=tuple(replace(each, height=_side(each.height), width=_side(each.width)) for each in form.scratch),
        buffers=tuple((name, room_for(_TEXEL_BYTES)) for name, _ in form.buffers),
        tuned=None,
    )


def _side(texels: int) -> int:
    """Returns the shortest side for which the driver generates the same code."""
    return 1 if is_power_of_two(texels) else 3


class _SmallTextures:
    """Stands for the textures of a plan: one texture for all that are alike to the driver."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._textures: dict[tuple[int, Format], moderngl.Texture] = {}
        self._targets: dict[tuple[int, ...], moderngl.Framebuffer] = {}
        self._samplers: list[moderngl.Sampler] = []

    def sampler(self, binding: Sampler) -> moderngl.Sampler:
        """Returns a sampler as `TextureStore.sampler`."""
        self._samplers.append(sampler_of(self._context, binding.filter, binding.wrap))
        return self._samplers[-1]

    def texture(self, stored: StoredTensor, number: int = 0) -> moderngl.Texture:
        """Returns a texture for the tensor, another for each `number`."""
        height, width, lanes, storage = format_of(stored)
        form = _side(height), _side(width), lanes, storage
        if (number, form) not in self._textures:
            self._textures[number, form] = texture_in(self._context, form)
        return self._textures[number, form]

    def for_reading(self, stored: StoredTensor) -> moderngl.Texture:
        """Returns a texture for the tensor."""
        return self.texture(stored)

    def target(self, stored: Sequence[StoredTensor]) -> moderngl.Framebuffer:
        """Returns a framebuffer of textures that no draw into it reads."""
        textures = [self.texture(each, number) for number, each in enumerate(stored, 1)]
        names = tuple(texture.glo for texture in textures)
        if names not in self._targets:
            self._targets[names] = self._context.framebuffer(textures)
        return self._targets[names]

    def release(self) -> None:
        """Frees every GL object."""
        for target in self._targets.values():
            release_framebuffer(self._context, target)
        for texture in self._textures.values():
            texture.release()
        for sampler in self._samplers:
            sampler.release()
