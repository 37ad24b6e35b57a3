"""Finds the stored tensor behind a texture, block or image of a pass; stores the model's constants on the way."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

import numpy as np

from texelscope import layouts
from texelscope.layouts import Layout, LayoutError, as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Graph, Shape, TensorInfo
from texelscope.pipeline.pipeline_file.atlases import Atlases
from texelscope.pipeline.pipeline_file.compute_pass import BoundEntry
from texelscope.pipeline.pipeline_file.schema import LINEAR, PassEntry, PipelineEntries, TextureEntry
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.plan import Storage, StoredTensor
from texelscope.pipeline.planning.storage import MANTISSA_BITS


class BoundTensors:
    """Finds what passes bind; adds the model's constants to `textures`. Problems are recorded."""

    def __init__(
        self,
        graph: Graph | None,
        limits: Limits,
        textures: dict[str, StoredTensor],
        problems: Problems,
        entries: PipelineEntries,
        atlases: Atlases,
    ) -> None:
        self._graph = graph
        self._limits = limits
        self._textures = textures
        self._problems = problems
        self._atlases = atlases
        # Of a model that could not be loaded, names may be those of its tensors.
        self._is_complete = entries.model is None or graph is not None

    def with_tensors_of_atlases(self, entry: PassEntry, available: Collection[str]) -> PassEntry:
        """Returns the pass with all tensors that are there, in place of an atlas that a sampler is bound to."""
        textures: list[TextureEntry] = []
        for texture in entry.textures:
            if texture.tensor not in self._atlases.names:
                textures.append(texture)
                continue
            inside = [
                key for key, stored in self._textures.items()
                if stored.layout.atlas == texture.tensor and (key in available or stored.role == "constant")
            ]  # fmt: skip
            if not inside:
                expected, got = f"a tensor in '{texture.tensor}' that was made before", "none"
                self._problems.add(entry.title, texture.key, expected, got, "Reorder the passes.")
            first = max((each.number + 1 for each in textures if each.uniform == texture.uniform), default=0)
            textures += [
                dataclasses.replace(texture, tensor=key, number=first + number) for number, key in enumerate(inside)
            ]
        return dataclasses.replace(entry, textures=tuple(textures))

    def bound(
        self,
        entry: PassEntry,
        texture: TextureEntry | BoundEntry,
        key: str,
        available: Collection[str],
        later: Collection[str],
    ) -> StoredTensor | None:
        """Returns the stored tensor behind a texture, block or image; records a problem and returns None for none."""
        name = texture.tensor
        own = {output.name for output in entry.outputs}
        if name in available:
            stored = self._textures.get(name)
            if stored is not None:
                self._check_alike(entry, texture, key, stored)
            return stored
        if name in later or not name:
            if name:
                got = f"'{name}', which this pass writes" if name in own else f"'{name}', which a later pass writes"
                advice = f'Write {{ previous = "{name}" }} for that of the frame before.'
                if key.endswith(".starts_as"):
                    advice = "Reorder the passes."
                elif name not in own:
                    advice = f"Reorder the passes. {advice}"
                self._problems.add(entry.title, key, "a tensor made before", got, advice)
            return None
        if self._graph is not None and name in self._graph.constants:
            return self._constant(entry, texture, key)
        if self._is_complete:
            self._missing(entry, key, name, available)
        return None

    def _check_alike(
        self, entry: PassEntry, texture: TextureEntry | BoundEntry, key: str, stored: StoredTensor
    ) -> None:
        """Records a layout or a quantisation that is not the one that a tensor is made with."""
        advice = "Leave it out, or change it where the tensor is made."
        if texture.layout not in (None, stored.layout):
            expected = f"{_named(stored.layout)}, which '{stored.key}' is stored in"
            self._problems.add(entry.title, f"{key}.layout", expected, _named(texture.layout), advice)
        if isinstance(texture, TextureEntry) and texture.quantization not in (None, stored.quantization):
            expected = f"the scale and zero point that '{stored.key}' is stored with"
            self._problems.add(entry.title, f"{key}.scale", expected, "others", advice)

    def _missing(self, entry: PassEntry, key: str, name: str, available: Collection[str]) -> None:
        constants = self._graph.constants if self._graph is not None else {}
        if self._graph is not None and name in self._graph.tensors:
            got, advice = f"'{name}', which the model computes", "Add a pass that makes it, or an [[input]]."
        else:
            got, advice = f"'{name}'", nearest(name, [*available, *constants])
        self._problems.add(entry.title, key, "an input, a constant or an earlier pass", got, advice)

    def _constant(self, entry: PassEntry, texture: TextureEntry | BoundEntry, key: str) -> StoredTensor | None:
        """Returns the model's constant in the texture's layout, stored once for all textures of that layout."""
        assert self._graph is not None
        info = self._graph.tensors[texture.tensor]
        if texture.layout is None and isinstance(texture, BoundEntry):
            texture = dataclasses.replace(texture, layout=LINEAR)
        if texture.layout is None:
            example = layouts.layout("channel_tiles").for_filters
            self._problems.add(
                entry.title, f"{key}.layout", f"a layout, since '{texture.tensor}' comes from the model", "nothing",
                f'For example {{ tensor = "{texture.tensor}", layout = "{example}" }}.',
            )  # fmt: skip
            return None
        layout = self._atlases.placed(texture.layout, info.name, info.shape, entry.title, f"{key}.layout")
        if layout is None:
            return None
        texture = dataclasses.replace(
            texture, layout=layout, storage=self._atlases.storage(layout, texture.storage or "float32")
        )
        try:
            height, width = layout.texture_shape(info.shape)
        except LayoutError as error:
            self._problems.add(entry.title, f"{key}.layout", error.expected, error.got, error.do_next)
            return None
        limit = self._limits.max_texture_texels
        if max(height, width) > limit:
            self._problems.add(
                entry.title, f"{key}.layout", f"a texture of at most {limit}x{limit} texels",
                f"{width}x{height} (width x height)", "Choose another layout.",
            )  # fmt: skip
            return None
        if not lanes_fit(texture.storage or "float32", layout, info.shape, entry.title, f"{key}.dtype", self._problems):
            return None
        return self._stored(entry, texture, key, info, layout)

    def _stored(
        self, entry: PassEntry, texture: TextureEntry | BoundEntry, key: str, info: TensorInfo, layout: Layout
    ) -> StoredTensor | None:
        quantization = texture.quantization if isinstance(texture, TextureEntry) else None
        try:
            if quantization is not None:
                quantization.check(info.shape)
        except TexelscopeError as error:
            self._problems.add(entry.title, f"{key}.{error.who}", error.expected, error.got, error.do_next)
            return None
        made = StoredTensor(
            self._free_key(info.name, layout), info.name, info.shape, layout, texture.storage or "float32", "constant",
            info.dtype, quantization=quantization,
        )  # fmt: skip
        for stored in self._textures.values():
            if stored.role == "constant" and dataclasses.replace(stored, key=made.key, dtype=made.dtype) == made:
                return stored
        self._textures[made.key] = made
        return made

    def _free_key(self, name: str, layout: Layout) -> str:
        wanted = [name, f"{name}@{layout.name}", *(f"{name}@{layout.name}#{i}" for i in range(len(self._textures)))]
        return next(key for key in wanted if key not in self._textures)


def lanes_fit(storage: Storage, layout: Layout, shape: Shape, title: str, key: str, problems: Problems) -> bool:
    """Checks that no element lies in a lane that the format does not have."""
    if storage != "r11g11b10" or layout.lanes == 1:
        return True
    dims = as_nchw(shape)
    _, _, lane = layout.texel_at(shape, *np.ogrid[tuple(slice(size) for size in dims)])
    if int(np.max(lane)) < len(MANTISSA_BITS):
        return True
    expected, got = "elements in three lanes, as r11g11b10 has", f"some in the fourth by {layout.name}"
    problems.add(title, key, expected, got, "Store three channels, or choose another dtype.")
    return False


def _named(layout: Layout | None) -> str:
    return "nothing" if layout is None else f"'{layout}'"
