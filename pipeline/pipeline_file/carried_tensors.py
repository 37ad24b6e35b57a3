"""Stores the tensors of the frame before that passes of a file read, `{ previous = "state", first = "seed" }`."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator

from texelscope.layouts.rectangles import alone
from texelscope.pipeline.errors import nearest
from texelscope.pipeline.frames import CarriedTensor
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.pipeline_file.compute_pass import BoundEntry
from texelscope.pipeline.pipeline_file.schema import PassEntry, PipelineEntries, TextureEntry
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.plan import StoredTensor


def previous_entries(entries: PipelineEntries) -> Iterator[tuple[PassEntry, str, TextureEntry | BoundEntry]]:
    """Yields every binding of a tensor of the frame before: its pass, its key in the file, and itself."""
    for each in entries.passes:
        bound = {texture.key: texture for texture in each.textures}
        for key, entry in (bound | (each.compute.bound if each.compute is not None else {})).items():
            if entry.previous:
                yield each, key, entry
            start = entry.start if isinstance(entry, BoundEntry) else None
            if start is not None and start.previous:
                yield each, f"{key}.starts_as", start


class CarriedTensors:
    """Adds the tensors of the frame before to `textures`; problems are recorded."""

    def __init__(
        self, entries: PipelineEntries, graph: Graph | None, textures: dict[str, StoredTensor], problems: Problems
    ) -> None:
        self._entries = entries
        self._graph = graph
        self._textures = textures
        self._problems = problems
        self._found: dict[str, CarriedTensor] = {}
        self._firsts: dict[str, str] = {}

    def add(self) -> tuple[CarriedTensor, ...]:
        """Returns what frames hand on. A tensor that is stored already, as an input of one pass alone, is none."""
        made = {output.name for each in self._entries.passes for output in each.outputs}
        given = {entry.name for entry in (*self._entries.inputs, *self._entries.constants)}
        for each, key, entry in previous_entries(self._entries):
            if entry.tensor in given:
                continue
            if entry.previous not in made:
                got, advice = f"'{entry.previous}'", nearest(entry.previous, made)
                self._problems.add(each.title, f"{key}.previous", "a tensor that a pass makes", got, advice)
            elif entry.previous in self._textures:
                self._add(each, key, entry, given)
        return tuple(self._found.values())

    def _add(self, each: PassEntry, key: str, entry: TextureEntry | BoundEntry, given: Collection[str]) -> None:
        of = self._textures[entry.previous]
        if entry.first and not self._is_first(each, key, entry, of, given):
            return
        known = self._found.get(entry.tensor)
        if known is not None and entry.first and known.first and known.first != entry.first:
            expected, got = f"'{known.first}', as {self._firsts[entry.tensor]} has it", f"'{entry.first}'"
            self._problems.add(each.title, f"{key}.first", expected, got, "A tensor begins with one value.")
            return
        if entry.first:
            self._firsts.setdefault(entry.tensor, f"{each.title} {key}")
        first = entry.first or (known.first if known is not None else "")
        self._found[entry.tensor] = CarriedTensor(entry.tensor, of.key, first)
        name = self._oracle_name(entry.tensor, first)
        layout = alone(of.layout)
        stored = dataclasses.replace(of, key=entry.tensor, tensor=name, role="input", reason="", layout=layout)
        self._textures[entry.tensor] = stored

    def _is_first(
        self, each: PassEntry, key: str, entry: TextureEntry | BoundEntry, of: StoredTensor, given: Collection[str]
    ) -> bool:
        if entry.first not in given:
            got, advice = f"'{entry.first}'", nearest(entry.first, given)
            self._problems.add(each.title, f"{key}.first", "an input or a constant", got, advice)
            return False
        first = self._textures.get(entry.first)
        if first is not None and first.shape != of.shape:
            expected = f"{list(of.shape)}, the shape of '{entry.previous}'"
            got = f"'{entry.first}' of {list(first.shape)}"
            self._problems.add(each.title, f"{key}.first", expected, got, "Change one of them.")
        return first is not None and first.shape == of.shape

    def _oracle_name(self, key: str, first: str) -> str:
        """Returns the oracle's name: the model of one frame reads its state where it reads the first one."""
        stored = self._textures.get(first)
        is_of_model = self._graph is not None and stored is not None and stored.tensor in self._graph.tensors
        return stored.tensor if stored is not None and is_of_model else key
