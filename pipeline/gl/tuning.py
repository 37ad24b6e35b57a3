"""Forms that ran often enough give way to their tuned ones, checked against what they gave themselves.

A general program serves at once; one that takes a driver longer to compile pays only where it is run again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.outside_text import logger
from texelscope.pipeline.errors import ShaderError
from texelscope.pipeline.gl.lowering_runner import FormRunner
from texelscope.pipeline.gl.textures import TextureStore
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.plan import StoredTensor

# The runs after which a form is worth a longer compilation.
RUNS_BEFORE_TUNING = 4
# Of the largest number: far above what rounding in another order does to a sum, far below what a wrong index does.
_ALIKE = 1e-3
_LOG = logger(__name__)

Texels = NDArray[np.float32]


@dataclass
class _Use:
    """A form, how often it ran, and the one that runs in its place; `settled`: nothing more is tried."""

    form: Lowering
    taken: Lowering
    runs: int = 0
    settled: bool = False


class Tuning:
    """What runs in place of which form of a session."""

    def __init__(self, runner: FormRunner, store: TextureStore) -> None:
        self._runner = runner
        self._store = store
        self._uses: dict[int, _Use] = {}  # by identity: equal forms of two places are two

    def taken(self, form: Lowering) -> Lowering:
        """The form that runs in place of `form`: itself, or its tuned one."""
        use = self._uses.get(id(form))
        return form if use is None else use.taken

    def count(self, form: Lowering) -> None:
        """Notes a run of the form."""
        self._uses.setdefault(id(form), _Use(form, form, settled=form.tuned is None)).runs += 1

    def keep_only(self, forms: Collection[Lowering]) -> list[Lowering]:
        """Forgets all other forms; returns what runs in place of these."""
        kept = {id(form) for form in forms}
        self._uses = {key: use for key, use in self._uses.items() if key in kept}
        return [self.taken(form) for form in forms]

    def step(
        self,
        valid: Set[str],
        after: int,
        textures: Mapping[str, StoredTensor],
        constant: Callable[[str], NDArray[Any]],
        among: Collection[Lowering | None] = (),
    ) -> bool:
        """Tries one tuned form, of one that ran `after` times and whose tensors are all `valid`; False if none waits.

        It is taken if it gives what the other one gave, as near as another order of rounding may bring it. Where forms
        are given, it is one of them (`among`).
        """
        given = {id(form) for form in among if form is not None}
        for key, use in self._uses.items():
            if use.settled or (among and key not in given):
                continue
            tensors = {*use.form.reads, *use.form.writes, *use.form.parts}
            if valid >= tensors and self.attempt(use.form, after, textures, constant):
                return True
        return False

    def attempt(
        self,
        form: Lowering,
        after: int,
        textures: Mapping[str, StoredTensor],
        constant: Callable[[str], NDArray[Any]],
    ) -> bool:
        """As `step`, of that form, whose tensors are all as they were when it ran; False if it does not wait for it."""
        use = self._uses[id(form)]
        if use.settled or use.runs < after or form.tuned is None:
            return False
        use.settled = True
        tuned = replace(form.tuned(), writes=form.writes, parts=form.parts)
        if self._is_as(form, tuned, textures, constant):
            use.taken = tuned
        return True

    def _is_as(
        self,
        form: Lowering,
        tuned: Lowering,
        textures: Mapping[str, StoredTensor],
        constant: Callable[[str], NDArray[Any]],
    ) -> bool:
        """Whether both give the same; what the first one gave is in place afterwards if not."""
        stored = [textures[key] for key in (*form.writes, *form.parts)]
        before = [self._store.read(each) for each in stored]
        try:
            self._runner.prepare(tuned, constant)
        except ShaderError as error:
            _LOG.info("%s keeps its general program: %s", form.covers[0], error)
            return False
        self._runner.run(tuned, textures)
        if all(map(_alike, before, map(self._store.read, stored))):
            self._runner.forget(form)
            return True
        _LOG.warning("%s keeps its general program: on this driver the tuned one gives other numbers.", form.covers[0])
        self._runner.forget(tuned)
        self._runner.run(form, textures)
        return False


def _alike(a: Texels, b: Texels) -> bool:
    finite = np.abs(a[np.isfinite(a)])
    bound = _ALIKE * float(finite.max()) if finite.size else 0.0
    return bool(np.allclose(a, b, rtol=0.0, atol=bound, equal_nan=True))
