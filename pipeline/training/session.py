"""Provides a session that can use its outputs as its next inputs: weights stay on the GPU from step to step."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.debug_session import DebugSession
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.context import on_its_context


class TrainingSession(DebugSession):
    """A `DebugSession` that can `advance` and undo that."""

    @on_its_context
    def advance(self, following: Mapping[str, str]) -> None:
        """Gives each input, by key, the tensor of `following`: textures are swapped, nothing is copied.

        Earlier results are invalid then; the old inputs are kept for `go_back`. Raises TexelscopeError for tensors that
        were not computed or are stored in another way than the input, and changes nothing.
        """
        for name, other in following.items():
            self._check_alike(name, other)
        for name, other in following.items():
            self._store.advance(self._plan.textures[name], self._plan.textures[other])
        self._keep_inputs()

    @on_its_context
    def go_back(self, following: Mapping[str, str]) -> bool:
        """Undoes the last `advance`; False if there is none to undo."""
        textures = self._plan.textures
        gone = [self._store.go_back(textures[name], textures[other]) for name, other in following.items()]
        if any(gone):
            self._keep_inputs()
        return any(gone)

    def _check_alike(self, name: str, other: str) -> None:
        one, following = self._plan.textures[name], self._plan.textures[other]
        if (one.layout, one.shape, one.storage) != (following.layout, following.shape, following.storage):
            raise TexelscopeError(
                f"input '{name}'",
                f"its successor to be {list(one.shape)} in {one.layout.name}, {one.storage}",
                f"'{other}', {list(following.shape)} in {following.layout.name}, {following.storage}",
                "Plan both in one layout: --layout row_major_rgba.",
            )
        if other not in self._valid:
            raise TexelscopeError(f"input '{name}'", f"'{other}' computed", "one that was not run", "Run it first.")

    def _keep_inputs(self) -> None:
        """Keeps inputs only: computed tensors hold data of other inputs."""
        self._valid = {key for key in self._valid if self._plan.textures[key].role != "activation"}
        self._injected.clear()
