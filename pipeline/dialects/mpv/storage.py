"""Follows images of `//!STORAGE` from block to block: each block that binds one makes its next version.

A tensor of the plan is written by one pass. So a pass that changes an image writes another tensor, which begins as the
one before. The first one of a frame is the last one of the frame before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts import Layout
from texelscope.pipeline.dialects.mpv.blocks import Compute, EmbeddedTexture, HookBlock
from texelscope.pipeline.dialects.mpv.pictures import OPAQUE
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.frames import PREVIOUS, CarriedTensor, Moment
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import ImageBinding, Role, StoredTensor
from texelscope.pipeline.unique_names import UniqueNames

# The work group of a block that mpv draws.
_GROUP = (8, 8)
_WRITE = re.compile(r"\bimage(?:Store|Atomic\w{1,20})\s{0,99}\(\s{0,99}(?P<name>\w{1,99})")
# What only a drawn pixel has.
_OF_FRAGMENTS = re.compile(r"\b(?:dFd[xy]|fwidth)(?:Fine|Coarse)?\b|\bdiscard\b")


@dataclass(frozen=True)
class FrameNumber:
    """Is mpv's `frame`: the number of the frame."""

    def at(self, moment: Moment) -> int:
        """See `FrameUniform`."""
        return moment.frame


class StoredImages:
    """Adds to `textures` the versions of the images `embedded`."""

    def __init__(
        self, embedded: Sequence[EmbeddedTexture], layouts: Sequence[Layout], textures: dict[str, StoredTensor],
        keys: UniqueNames,
    ) -> None:  # fmt: skip
        """`layouts` are those of `embedded`."""
        self._images = {each.name: (each, layout) for each, layout in zip(embedded, layouts, strict=True)}
        self._textures = textures
        self._keys = keys
        self._latest: dict[str, str] = {}
        self._changed: set[str] = set()

    def __bool__(self) -> bool:
        """Whether the file has any."""
        return bool(self._images)

    def bindings(self, block: HookBlock) -> tuple[ImageBinding, ...]:
        """Returns the images that the block binds; those that it changes start as others."""
        bound = [
            self._images[name] for name in dict.fromkeys(each.name for each in block.binds) if name in self._images
        ]
        written = {match["name"] for match in _WRITE.finditer(without_comments(block.body))}
        images = []
        for image, layout in bound:
            before = self._latest.get(image.name) or self._first(image, layout)
            if image.name not in written:
                images.append(ImageBinding(image.name, before))
                continue
            key = self._store(self._keys.give(image.name), image, layout)
            self._latest[image.name] = key
            self._changed.add(image.name)
            images.append(ImageBinding(image.name, key, starts_as=before))
        return tuple(images)

    def finish(self) -> tuple[tuple[CarriedTensor, ...], dict[str, NDArray[np.float32]]]:
        """Returns what frames hand on, and the constants by name: of images that no block changes, and
        with which others begin."""
        carried, constants = [], {}
        for name, key in self._latest.items():
            image, layout = self._images[name]
            first = f"{name}{PREVIOUS}"
            if name not in self._changed:
                self._store(first, image, layout, "constant")
                constants[first] = image.values
                continue
            begins = image.texels.any()
            carried.append(CarriedTensor(first, key, name if begins else ""))
            if begins:
                self._store(name, image, layout, "constant")
                constants[name] = image.values
        return tuple(carried), constants

    def _first(self, image: EmbeddedTexture, layout: Layout) -> str:
        """Returns the key of an image at the beginning of a frame."""
        self._keys.give(image.name)
        self._latest[image.name] = self._store(f"{image.name}{PREVIOUS}", image, layout, "input")
        return self._latest[image.name]

    def _store(self, key: str, image: EmbeddedTexture, layout: Layout, role: Role = "activation") -> str:
        self._textures[key] = StoredTensor(key, key, image.shape, layout, role=role, padding=OPAQUE)
        return key


def drawn_by_groups(block: HookBlock) -> Compute:
    """Returns the work groups of a block that mpv draws. Raises TexelscopeError for what they cannot do."""
    found = _OF_FRAGMENTS.search(without_comments(block.body))
    if found is not None:
        line = block.body_line + block.body.count("\n", 0, block.body.find(found[0]))
        raise FileLine(block.place.file, line).fault(
            "a block with a //!STORAGE texture to do without derivatives and discard",
            f"'{found[0]}'",
            "It runs as a compute shader here: give it //!COMPUTE, or remove the texture.",
        )
    return Compute(_GROUP, _GROUP, block.place)
