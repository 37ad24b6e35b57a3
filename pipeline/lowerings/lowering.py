"""Defines a form: the steps that replace one pass or several, and what they read and write; also in words."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.plan import ProgramSource, Storage

Numbers = NDArray[np.float32]
Constants = Callable[[str], NDArray[Any]]
# The uniform block with sizes, and its binding: `layout(std140) uniform Shape`.
SHAPE_BINDING = 0
_PAGE = 256


def is_power_of_two(number: int) -> bool:
    """Reports whether the number, 1 or more, is a power of two."""
    return number & (number - 1) == 0


def room_for(size: int) -> int:
    """Returns bytes of a buffer for `size` bytes, chosen so that drivers compile a shader once for all of them.

    llvmpipe compiles a shader again for a buffer whose size is a power of two, and, as it reads the second byte of the
    size as a texture's last level, for one where that byte is zero: layers that share a program would each wait for a
    separate compilation. No size returned here is either. It is less than four pages more than `size`.
    """
    room = size + (-size) % _PAGE + _PAGE
    while is_power_of_two(room) or room // _PAGE % _PAGE == 0:
        room += _PAGE
    return room


@dataclass(frozen=True)
class PackedConstants:
    """Holds constants of the model in the order in which a step reads them, four numbers a texel: float32 [count, 4].

    `make` gets a function from a constant's name to its value. Two with the same `key` hold the same numbers.
    """

    key: str
    make: Callable[[Constants], Numbers] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Scratch:
    """Describes a texture of four lanes that lives from one step of a form to the next; sizes in texels.

    With `layers` it is an array texture, and a draw into it writes each layer as one of its colours.
    """

    name: str
    height: int
    width: int
    storage: Storage = "float32"
    layers: int = 0


@dataclass(frozen=True)
class LoweringStep:
    """Describes one draw (`fragment`: `size` is its width and height), dispatch (`compute`: its work groups) or copy.

    `textures`, `packed` and `images` are in the order of their bindings: samplers from unit 0 on, packed numbers in the
    units after them as buffer textures, written images from unit 0 on; packed `blocks` and scratch `buffers`, storage
    blocks from binding 0 on. `read_buffers` are scratch buffers that are read as buffer textures, in the units between
    textures and packed numbers. Textures and images are named by key, scratch by its name. `shape` is
    the content of the uniform block `Shape`, in std140; a step without that block has none. A draw with `targets`, keys
    of textures of its size or the name of one scratch texture, writes into these as colour attachments, in that order,
    and no images. A copy (`copy`) has no program: its only buffer gets the texels of its only texture, row by row.
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
    kind: Literal["fragment", "compute", "copy"] = "fragment"
    targets: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """Returns keys and scratch names of the textures that it writes."""
        return (*self.images, *self.targets)


@dataclass(frozen=True)
class InputRounding:
    """Says how a form rounds more than its passes: its results are those of inputs that are a little off.

    An element of the tensor `key`, [N, C, H, W], is off by at most `relative` times the largest magnitude among the
    elements of its channel that are at most `reach` places away along y and x.
    """

    key: str
    relative: float
    reach: tuple[int, int]


@dataclass(frozen=True)
class Lowering:
    """Holds steps that replace the passes `covers`; the result of the last of these is theirs.

    `reads` are the keys that have to be valid; `writes` those that hold their tensors afterwards. `parts` are written
    in part: another form, later in the order, writes the rest. `inside` are keys that it computes and does not store.
    `buffers` are scratch storage buffers: name and bytes. `tuned` builds an equivalent form that takes a driver
    longer to compile and then runs faster; None if there is none. `rounding` is what it rounds more than the passes.
    """

    covers: tuple[str, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    steps: tuple[LoweringStep, ...]
    scratch: tuple[Scratch, ...] = ()
    parts: tuple[str, ...] = ()
    buffers: tuple[tuple[str, int], ...] = ()
    rounding: InputRounding | None = None
    inside: tuple[str, ...] = ()
    tuned: Callable[[], Lowering] | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """Returns what it covers, as one name, for timers and debug groups."""
        return " + ".join(self.covers)


# Compile-time constants of a draw, as its text declares them.
_DEALT = re.compile(r"^const int (PIXELS|TILES|ROWS|GROUPS|COLUMNS) = (\d+);", re.MULTILINE)
# What a fragment computes several of, and what its groups are of.
_DEALT_WORDS = {"PIXELS": ("pixel", "channels"), "TILES": ("tile", "channels"), "ROWS": ("row", "columns")}
_LOCAL = re.compile(r"local_size_([xyz]) = (\d+)")
# They stand at its beginning; unrolled loops make it long.
_BEGINNING = 4000
_MOST_STEPS = 3


def backend_word(form: Lowering) -> str:
    """Returns `dispatch` if any step is one, else `draw`."""
    return "dispatch" if any(step.kind == "compute" for step in form.steps) else "draw"


def step_words(step: LoweringStep) -> str:
    """Describes a step: `draw of 256 fragments, 8 pixels x 2 groups of channels each`, `dispatch of 12 …`, `copy`."""
    if step.kind == "copy":
        return "copy into a buffer"
    beginning = step.program.fragment[:_BEGINNING]
    if step.kind == "compute":
        groups = math.prod(step.size)
        threads = math.prod(int(size) for _, size in _LOCAL.findall(beginning))
        return f"dispatch of {groups:,} work group{'s' * (groups != 1)} of {threads:,} invocations"
    dealt = dict(_DEALT.findall(beginning))
    fragments = f"draw of {math.prod(step.size):,} fragments"
    found = next((name for name in _DEALT_WORDS if name in dealt), "")
    if not found or not dealt.keys() & {"GROUPS", "COLUMNS"}:
        return fragments
    what, of = _DEALT_WORDS[found]
    across = _counted(int(dealt["COLUMNS"]), "column") if "GROUPS" not in dealt else ""
    across = across or f"{_counted(int(dealt['GROUPS']), 'group')} of {of}"
    return f"{fragments}, {_counted(int(dealt[found]), what)} x {across} each"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def form_words(form: Lowering) -> str:
    """Describes all steps but copies in one line: `2 steps: draw of …; draw of …`; of one step alone `a draw of …`."""
    own = [step for step in form.steps if step.kind != "copy"]
    steps = "; ".join(step_words(step) for step in own[:_MOST_STEPS])
    more = f"; {len(own) - _MOST_STEPS} more like these" if len(own) > _MOST_STEPS else ""
    words = f"a {steps}" if len(own) == 1 else f"{len(own)} steps: {steps}{more}"
    return words if form.rounding is None else f"{words}; by Winograd's products, whose own rounding is allowed for"


def texture_words(step: LoweringStep, form: Lowering) -> str:
    """Lists what a step of the form reads and writes: `reads x; writes y`; scratch textures are marked.

    Of a buffer into which a texture was copied, it is that texture.
    """
    scratch = {each.name for each in form.scratch}
    before = itertools.takewhile(lambda each: each is not step, form.steps)
    copied = {each.buffers[0]: each.textures[0] for each in before if each.kind == "copy"}

    def named(keys: tuple[str, ...]) -> str:
        return ", ".join(f"scratch '{key}'" if key in scratch else key for key in dict.fromkeys(keys))

    read = (*(copied[name] for name in step.read_buffers if name in copied), *step.textures)
    reads = f"reads {named(read)}" if read else ""
    writes = f"writes {named(step.written)}" if step.written else ""
    return "; ".join(each for each in (reads, writes) if each)
