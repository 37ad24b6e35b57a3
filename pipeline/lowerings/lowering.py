"""What a form is: the steps that stand in for one pass or several, and what they read and write.

A plain pass is the definition of what is computed: it is what a person reads, edits, taps and diagnoses. A form
computes the same tensors, into the same textures, in fewer reads: several texels a fragment, numbers packed in the
order in which they are read. Nothing here is GL; `pipeline.gl.lowering_runner` runs it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import ProgramSource, Storage

Numbers = NDArray[np.float32]
Constants = Callable[[str], NDArray[Any]]
# The uniform block that says how large things are, and its binding: `layout(std140) uniform Shape`.
SHAPE_BINDING = 0
_PAGE = 256


def room_for(size: int) -> int:
    """Bytes of a buffer for `size` bytes, of those sizes for which drivers make one machine code.

    llvmpipe compiles a shader anew for a buffer whose size is a power of two, and, as it takes the second byte of the
    size for a texture's last level, for one where that byte is zero: layers that share a program would each wait for a
    compilation of their own. No size that is given here is either. It is less than four pages more than `size`.
    """
    room = size + (-size) % _PAGE + _PAGE
    while room & (room - 1) == 0 or room // _PAGE % _PAGE == 0:
        room += _PAGE
    return room


@dataclass(frozen=True)
class PackedConstants:
    """Constants of the model in the order in which a step reads them, four numbers a texel: float32 [count, 4].

    `make` is given a function from a constant's name to its value. Two with the same `key` hold the same numbers.
    """

    key: str
    make: Callable[[Constants], Numbers] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Scratch:
    """A texture of four lanes that lives from one step of a form to the next; sizes in texels."""

    name: str
    height: int
    width: int
    storage: Storage = "float32"


@dataclass(frozen=True)
class LoweringStep:
    """One draw (`fragment`: `size` is the width and height of the draw) or dispatch (`compute`: its work groups).

    `textures`, `packed` and `images` are in the order of their bindings: samplers from unit 0 on, packed numbers in the
    units after them as buffer textures, written images from unit 0 on; packed `blocks` and scratch `buffers`, storage
    blocks from binding 0 on. `read_buffers` are scratch buffers that are read as buffer textures, in the units between
    textures and packed numbers. Textures and images are named by key, scratch by its name. `shape` is
    the content of the uniform block `Shape`, in std140; a step without that block has none. A draw with `targets`, keys
    of textures of its size or the name of one scratch texture, writes into these as colour attachments, in that order,
    and no images.
    """

    program: ProgramSource
    size: tuple[int, int, int]
    textures: tuple[str, ...]
    images: tuple[str, ...]
    packed: tuple[PackedConstants, ...] = ()
    blocks: tuple[PackedConstants, ...] = ()
    buffers: tuple[str, ...] = ()
    read_buffers: tuple[str, ...] = ()
    shape: bytes = b""
    kind: Literal["fragment", "compute"] = "fragment"
    targets: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """Keys and scratch names of the textures that it writes."""
        return (*self.images, *self.targets)


@dataclass(frozen=True)
class Lowering:
    """Steps in place of the passes `covers`, of which the last is the one whose result they are for.

    `reads` are the keys that have to be valid; `writes` those that hold their tensors afterwards. `parts` are written
    in part: another form, later in the order, writes the rest.
    `buffers` are scratch storage buffers: name and bytes. `tuned` makes another form of the same, which takes a driver
    longer to compile and then runs faster; None where there is none.
    """

    covers: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    steps: tuple[LoweringStep, ...]
    scratch: tuple[Scratch, ...] = ()
    parts: tuple[str, ...] = ()
    buffers: tuple[tuple[str, int], ...] = ()
    tuned: Callable[[], Lowering] | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """What it covers, as one name, for timers and debug groups."""
        return " + ".join(self.covers)
