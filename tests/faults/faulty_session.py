"""A session with a fault in its GL: state left behind, a texture bound that should not be, a target that rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import moderngl
import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.gl.passes import PassRunner
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.plan import Pass, Plan, StoredTensor

OnBind = Callable[["FaultySession", Pass, moderngl.Program], None]
OnDraw = Callable[["FaultySession", Pass], None]
Texels = NDArray[np.float32]


class FaultySession(DebugSession):
    """Runs the pass called `name` with hooks: after its textures are bound, and after its draw."""

    def __init__(self, plan: Plan, context: moderngl.Context, name: str) -> None:
        super().__init__(plan, context, runner=lambda context, store: FaultyRunner(context, store, self))
        self.name = name
        self.on_bind: Sequence[OnBind] = ()
        self.after_draw: Sequence[OnDraw] = ()
        self.draws_until: int | None = None
        self.draws = 0
        self._copies: dict[str, moderngl.Texture] = {}

    def release(self) -> None:
        for texture in self._copies.values():
            texture.release()
        self._copies.clear()
        super().release()

    def unit(self, each: Pass, uniform: str) -> int:
        """The texture unit of a sampler of the pass."""
        return [sampler.uniform for sampler in each.samplers].index(uniform)

    def copy(self, key: str) -> moderngl.Texture:
        """A second texture beside that of `key`, the same on every call; zeros until it is written."""
        if key not in self._copies:
            self._copies[key] = self.scratch_like(key)
            self._copies[key].write(bytes(len(self.texture(key).read(alignment=1))), alignment=1)
        return self._copies[key]

    def refresh(self, key: str) -> None:
        """Makes the copy hold what the texture of `key` holds now."""
        self.copy(key).write(self.texture(key).read(alignment=1), alignment=1)

    def overwrite(self, key: str, texels: Texels) -> None:
        """Puts texels [height, width, lanes] into a float32 texture behind the session's back."""
        self.texture(key).write(np.ascontiguousarray(texels, dtype=np.float32), alignment=1)


class FaultyRunner(PassRunner):
    takes_forms = False

    def __init__(self, context: moderngl.Context, store: TextureStore, session: FaultySession) -> None:
        super().__init__(context, store)
        self._session = session

    def bind(
        self, each: Pass, program: moderngl.Program | moderngl.ComputeShader, textures: Mapping[str, StoredTensor]
    ) -> None:
        super().bind(each, program, textures)
        if each.name == self._session.name and isinstance(program, moderngl.Program):
            for hook in self._session.on_bind:
                hook(self._session, each, program)

    def draw(self, each: Pass, textures: Mapping[str, StoredTensor]) -> None:
        session = self._session
        if each.name != session.name:
            super().draw(each, textures)
            return
        if session.draws_until is None or session.draws < session.draws_until:
            super().draw(each, textures)
            for hook in session.after_draw:
                hook(session, each)
        session.draws += 1
