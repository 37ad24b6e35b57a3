"""Loads an input's values: from a picture, an .npy file, or a test pattern by name; and says in words which.

All give float32 in the requested logical shape, whole numbers where the tensor has an integer type.
Files are data: nothing in them is executed or unpickled, and their size is checked before memory is taken.

A picture of another size is scaled with its proportions until it covers the input, and the rest is cut off: nothing is
stretched, and no edges are invented. Scaling uses Pillow's Lanczos filter, which smooths when reducing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.inputs.values import check_held, check_values
from texelscope.pipeline.operators.element_types import whole_range
from texelscope.pipeline.plan import EXACT_INTEGERS
from texelscope.pipeline.untrusted_files import is_file
from texelscope.pipeline.untrusted_files.arrays import opened_npy
from texelscope.pipeline.untrusted_files.pictures import opened_picture

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff"})

# Pictures with another number of channels are converted to these.
_MODES = {1: "L", 3: "RGB", 4: "RGBA"}


def load_source(
    source: str,
    shape: Shape,
    *,
    name: str = "input",
    folder: Path | None = None,
    dtype: str = "float32",
    inside: Path | None = None,
) -> NDArray[np.float32]:
    """Loads float32 of `shape` from `source`: a pattern such as `random:7`, or a file, relative to `folder`.

    With `inside` no file outside that folder is read, links followed.

    `fit:FILE` is a picture of any size, scaled until it covers the input (`pipeline.inputs.sources`).
    Pictures become RGB (or L, RGBA, by the shape's channels) in [0, 1], row 0 at the top; 0 to 255 for an integer
    `dtype`. Raises TexelscopeError for a missing or unreadable file, an unknown pattern, a size that differs, NaN and
    infinities, and numbers that `dtype` does not hold.
    """
    whole = whole_range(dtype) is not None
    pattern, _, argument = source.partition(":")
    if pattern in PATTERNS and not (folder is not None and is_file(folder / source)):
        # Patterns in [0, 1) would be all zeros; one-hot and the like are whole already.
        make = WHOLE_PATTERNS.get(pattern, PATTERNS[pattern]) if whole else PATTERNS[pattern]
        values = make(shape, argument, name).astype(np.float32)
        limits = whole_range(dtype)
        if limits is not None:
            values = values % np.float32(min(limits[1], EXACT_INTEGERS) + 1)  # types of a few bits hold few of them
    else:
        values = _read(source, shape, name, folder, inside, whole=whole)
        if whole and Path(source).suffix.lower() in PICTURE_SUFFIXES:
            values = np.rint(values * np.float32(255.0))
    check_values(values, name, dtype, source)
    return np.ascontiguousarray(values, dtype=np.float32).reshape(shape)


def _read(
    source: str, shape: Shape, name: str, folder: Path | None, inside: Path | None, *, whole: bool
) -> NDArray[np.float32]:
    fits = source.startswith(FIT)
    file = source.removeprefix(FIT)
    path = (folder / file) if folder is not None else Path(file)
    if path.suffix.lower() in PICTURE_SUFFIXES:
        return read_picture(path, shape, name=name, fit=fits, inside=inside)
    if path.suffix.lower() == ".npy" and not fits:
        return read_npy(path, shape, name=name, inside=inside, whole=whole)
    raise TexelscopeError(
        f"input '{name}'",
        "a picture, an .npy file or a test pattern",
        f"'{source}'",
        nearest(source.partition(":")[0], PATTERNS),
    )


def read_picture(
    path: Path, shape: Shape, *, name: str = "input", fit: bool = False, inside: Path | None = None
) -> NDArray[np.float32]:
    """Reads a picture as float32 N, C, H, W in [0, 1], of the size in `shape`; it is resized only to `fit`."""
    who = f"input '{name}' ({path.name})"
    height, width = _picture_shape(who, shape)
    with opened_picture(path, who, inside=inside) as picture:
        if picture.size != (width, height) and not fit:
            raise TexelscopeError(
                who,
                f"a picture of {width}x{height} (width x height)",
                f"{picture.width}x{picture.height}",
                f"Ask for {FIT}{path.name}, which scales it to cover that, or for its own size: "
                f"--shape {name}={','.join(map(str, _resized(shape, picture)))}.",
            )
        return picture_values(picture, shape, name=name)


def picture_values(picture: Image.Image, shape: Shape, *, name: str = "input") -> NDArray[np.float32]:
    """Converts an open picture of any size to float32 of `shape` in [0, 1], as `fit:`. Raises as `read_picture`."""
    height, width = _picture_shape(f"input '{name}'", shape)
    channels = as_nchw(shape)[1]
    pixels = _pixels(picture, _MODES[channels], (width, height))
    planes = pixels[None] if channels == 1 else np.moveaxis(pixels, 2, 0)
    return np.ascontiguousarray(planes.reshape(shape))


def takes_pictures(shape: Shape) -> bool:
    """Reports whether a tensor of that shape can hold a picture: 1, 3 or 4 planes."""
    n, channels, _, _ = as_nchw(shape)
    return len(shape) >= 2 and n == 1 and channels in _MODES


def _picture_shape(who: str, shape: Shape) -> tuple[int, int]:
    """Returns a picture's height and width for a tensor's shape. Raises TexelscopeError where it can hold none."""
    if not takes_pictures(shape):
        raise TexelscopeError(
            who,
            f"values for a tensor of shape {list(shape)}",
            "a picture, which has 1, 3 or 4 channels",
            "Use an .npy file or a test pattern.",
        )
    _, _, height, width = as_nchw(shape)
    return height, width


def picture_size(source: str) -> tuple[int, int] | None:
    """Returns height and width of a picture file; None for anything else, and for an unreadable one."""
    if Path(source).suffix.lower() not in PICTURE_SUFFIXES:
        return None
    try:
        with opened_picture(source) as picture:
            return picture.height, picture.width
    except TexelscopeError:
        return None


def _pixels(picture: Image.Image, mode: str, size: tuple[int, int]) -> NDArray[np.float32]:
    """Returns float32 [height, width] or [height, width, channels] in [0, 1], of that size; Pillow clips 16 bits."""
    if not picture.mode.startswith("I;16"):
        return np.asarray(covering(picture.convert(mode), size), dtype=np.float32) / np.float32(255.0)
    grey = np.asarray(picture, dtype=np.float32) / np.float32(65535.0)
    if picture.size != size:
        grey = np.clip(np.asarray(covering(Image.fromarray(grey), size), dtype=np.float32), 0.0, 1.0)
    if mode == "L":
        return grey
    opaque = [np.ones_like(grey)] if mode == "RGBA" else []
    return np.stack([grey, grey, grey, *opaque], axis=2)


def read_npy(
    path: Path, shape: Shape, *, name: str = "input", inside: Path | None = None, whole: bool = False
) -> NDArray[np.float32]:
    """Reads an .npy file of real numbers as float32; its shape must be `shape`. Pickled objects are refused.

    Of a tensor of `whole` numbers, integers that float32 does not hold exactly are refused too.
    """
    who = f"input '{name}' ({path.name})"
    with opened_npy(path, who, inside=inside) as stored:
        if stored.shape != tuple(shape):
            raise TexelscopeError(
                who,
                f"shape {list(shape)}",
                str(list(stored.shape)),
                f"Save it in that shape, or ask for its own: --shape {name}={','.join(map(str, stored.shape))}.",
            )
        values = stored.values()
    if whole:
        check_held(values, name, "float32", path.name)
    with np.errstate(over="ignore"):  # a double beyond the range becomes infinite and is reported
        return np.asarray(values, dtype=np.float32)


def _resized(shape: Shape, picture: Image.Image) -> Shape:
    return (*shape[:-2], picture.height, picture.width)


def _random(shape: Shape, argument: str, name: str) -> NDArray[np.float32]:
    """Returns numbers uniform in [0, 1); the argument is the seed."""
    return _generator(argument, name).random(shape, dtype=np.float32)


def _normal(shape: Shape, argument: str, name: str) -> NDArray[np.float32]:
    """Returns normally distributed numbers, mean 0, deviation 1; the argument is the seed."""
    return _generator(argument, name).standard_normal(shape, dtype=np.float32)


def _generator(argument: str, name: str) -> np.random.Generator:
    seed = _whole(argument, 0, name)
    if seed < 0:
        raise TexelscopeError(f"input '{name}'", "a seed of at least 0", str(seed), "For example random:7.")
    return np.random.default_rng(seed)


def _ramp(shape: Shape, _argument: str, _name: str) -> NDArray[np.float32]:
    """Returns i / n for element i of n: all elements differ, up to 2^24 of them."""
    count = math.prod(shape)
    return (np.arange(count, dtype=np.float64) / count).reshape(shape).astype(np.float32)


def _whole_ramp(shape: Shape) -> NDArray[np.float32]:
    """Returns i mod 128 for element i, which every integer type but the narrowest holds."""
    return (np.arange(math.prod(shape)) % 128).reshape(shape).astype(np.float32)


def _checker(shape: Shape, argument: str, name: str) -> NDArray[np.float32]:
    """Returns squares of 0 and 1 in the last two axes; the argument is a square's side in elements, 8 by default."""
    _, _, height, width = as_nchw(shape)
    side = min(max(_whole(argument, 8, name), 1), max(height, width))
    rows, columns = np.indices((height, width)) // side
    return np.broadcast_to(((rows + columns) % 2).reshape(_planes(shape)), shape).astype(np.float32)


def _planes(shape: Shape) -> Shape:
    return shape[-2:] if len(shape) >= 2 else shape


def _one_hot(shape: Shape, argument: str, name: str) -> NDArray[np.float32]:
    """Returns a single 1; the argument is its linear element index, by default the middle of the tensor."""
    count = math.prod(shape)
    index = _whole(argument, count // 2, name)
    if not 0 <= index < count:
        raise TexelscopeError(
            f"input '{name}'", f"an element index from 0 to {count - 1}", str(index), "Choose another one."
        )
    values = np.zeros(count, dtype=np.float32)
    values[index] = 1.0
    return values.reshape(shape)


def _one_channel(shape: Shape, argument: str, name: str) -> NDArray[np.float32]:
    """Returns one channel of ones, the others zero; the argument is the channel, n·C + c, 0 by default."""
    n, c, height, width = as_nchw(shape)
    channel = _whole(argument, 0, name)
    if not 0 <= channel < n * c:
        raise TexelscopeError(
            f"input '{name}'", f"a channel from 0 to {n * c - 1}", str(channel), "Choose another one."
        )
    values = np.zeros((n * c, height, width), dtype=np.float32)
    values[channel] = 1.0
    return values.reshape(shape)


def _whole(argument: str, default: int, name: str) -> int:
    if not argument:
        return default
    try:
        if len(argument) > 18:
            raise ValueError(argument)
        return int(argument)
    except ValueError as error:
        raise TexelscopeError(
            f"input '{name}'", "a whole number after the colon", f"'{argument}'", "For example random:7."
        ) from error


Pattern = Callable[[Shape, str, str], NDArray[np.float32]]

PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "random": _random,
        "normal": _normal,
        "ramp": _ramp,
        "checker": _checker,
        "zeros": lambda shape, _argument, _name: np.zeros(shape, dtype=np.float32),
        "ones": lambda shape, _argument, _name: np.ones(shape, dtype=np.float32),
        "one-hot": _one_hot,
        "one-channel": _one_channel,
    }
)

# Replacements for patterns of fractions where a tensor holds whole numbers; small enough for an int8.
WHOLE_PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "random": lambda shape, argument, name: np.floor(10.0 * _random(shape, argument, name)),
        "normal": lambda shape, argument, name: np.abs(np.rint(3.0 * _normal(shape, argument, name))),
        "ramp": lambda shape, _argument, _name: _whole_ramp(shape),
    }
)


# The prefix of a picture's path that requests scaling.
FIT = "fit:"
# The rule, in words for people.
RULE = "scaled to cover {width}×{height}, the rest cut off evenly"


def covering(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Returns the picture in that size (width, height); itself if it has it. Modes L, RGB, RGBA and F."""
    return picture if picture.size == size else ImageOps.fit(picture, size, Image.Resampling.LANCZOS)


def source_words(source: str, shape: Shape) -> str:
    """Describes the source of an input of that shape: the file, and what was done to it."""
    if not source:
        return "as in the file"
    path = Path(source.removeprefix(FIT))
    if path.suffix.lower() not in PICTURE_SUFFIXES:
        return source
    _, channels, height, width = as_nchw(shape)
    colours = {1: "grey", 3: "RGB", 4: "RGBA"}.get(channels, "")
    scaled = RULE.format(width=width, height=height) if source.startswith(FIT) else "not scaled"
    return f"{path}: {scaled}, {colours} from 0 to 1"
