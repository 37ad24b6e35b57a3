"""A session whose inputs and outputs lie in textures of somebody else's, other ones at every run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.passes import PassRunner
from texelscope.pipeline.gl.program import ProgramCache
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import Plan
from texelscope.pipeline.tensors.running.pool import PooledTexture

if TYPE_CHECKING:
    import moderngl


class LentSession(Session):
    """Runs a plan's passes from lent textures into lent textures. What lies between is its own.

    The caller keeps the context current.
    """

    def __init__(self, plan: Plan, context: moderngl.Context, programs: ProgramCache) -> None:
        super().__init__(plan, context, runner=lambda given, store: PassRunner(given, store, programs))
        self._made = tuple(key for key in plan.outputs if plan.textures[key].role == "activation")

    @property
    def makes(self) -> tuple[str, ...]:
        """Keys of the outputs that passes write; the others are constants."""
        return self._made

    def run_on(self, inputs: Mapping[str, PooledTexture], outputs: Mapping[str, PooledTexture]) -> None:
        """One run; `outputs` has what `makes` names. Raises ShaderError where the driver refuses a pass."""
        stored, store = self._plan.textures, self._store
        for lent in (inputs, outputs):
            for key, held in lent.items():
                store.lend(stored[key], held.room.texture, held.room.target)
        self._valid.update(inputs)
        self._valid.difference_update(self._made)
        try:
            with self.untimed():
                self.run_fused()
        finally:
            for lent in (inputs, outputs):
                for key in lent:
                    store.take_back(stored[key])
        if not self._valid.issuperset(self._made):
            raise self._refusal()

    def _refusal(self) -> TexelscopeError:
        errors = [*self.shader_errors.values()]
        if errors:
            return errors[0]
        return TexelscopeError(self._plan.name, "passes that run", "one that did not", "Report this with its shapes.")
