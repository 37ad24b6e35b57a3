"""Layer snapshots on disk: the flattened texture as a picture or as floats, the tensor as an array."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PIL import Image, PngImagePlugin

from texelscope.pipeline.atomic_files import filled_folder
from texelscope.pipeline.errors import TexelscopeError, nearest, printable
from texelscope.pipeline.export import colour_maps
from texelscope.pipeline.gl.session import Session
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.unique_names import file_stem

NAN_COLOUR = (1.0, 0.0, 0.0)
INFINITY_COLOUR = (0.0, 1.0, 0.0)


def export(
    session: Session, folder: Path, *, passes: Collection[str] = (), formats: Collection[str] = ("png",)
) -> list[Path]:
    """Writes every pass that ran (or those named in `passes`) into `folder`, all together; returns the files.

    Raises TexelscopeError for an unknown pass or format, and for a folder that cannot be written.
    """
    for name in formats:
        if name not in (*_WRITERS, "npz"):
            raise TexelscopeError("--format", "png, npy, npz or exr", f"'{name}'", nearest(name, (*_WRITERS, "npz")))
    chosen = _chosen(session, passes)
    written: list[str] = []
    with filled_folder(folder) as unfinished:
        for position, each in chosen:
            stem = _stem(position, each)
            for name in formats:
                if name in _WRITERS:
                    _WRITERS[name](session, each, unfinished / f"{stem}.{name}")
                    written.append(f"{stem}.{name}")
        if "npz" in formats:
            arrays = {_stem(position, each): session.tensor(each.output) for position, each in chosen}
            np.savez_compressed(unfinished / "layers.npz", **arrays)  # type: ignore[arg-type]
            written.append("layers.npz")
    return [folder / name for name in written]


def picture(
    texels: NDArray[np.float32], limits: tuple[float, float] | None = None
) -> tuple[NDArray[np.uint8], float, float]:
    """RGB uint8 [height, width, 3] of texels [height, width, lanes], with the black and white points used.

    These are `limits`, or the least and greatest number; about zero where there are negative ones. One lane: a
    colour map, signed where the black point is negative. Four lanes: the first three as red, green, blue. NaN red,
    infinity green.
    """
    low, high = limits if limits is not None else span(texels)
    width = high - low if high > low else 1.0
    # In double precision: from one end of float32 to the other is further than float32 goes.
    numbers = np.nan_to_num(texels, nan=0.0, posinf=0.0, neginf=0.0).astype(np.float64)
    scaled = np.clip((numbers - low) / width, 0.0, 1.0).astype(np.float32)
    if texels.shape[2] == 1:
        ramp = colour_maps.table("signed" if low < 0.0 else "unsigned")
        rgb = ramp[np.rint(scaled[..., 0] * (colour_maps.STEPS - 1)).astype(np.int32)]
    else:
        rgb = scaled[..., :3].copy()
    rgb = np.array(rgb)
    rgb[np.isnan(texels).any(axis=2)] = NAN_COLOUR
    rgb[np.isinf(texels).any(axis=2)] = INFINITY_COLOUR
    return np.rint(rgb * 255.0).astype(np.uint8), low, high


def span(*arrays: NDArray[np.float32]) -> tuple[float, float]:
    """Black and white point that all the arrays can share; symmetrical about zero if there are negative numbers."""
    finite = [array[np.isfinite(array)] for array in arrays]
    low = min((float(values.min()) for values in finite if values.size), default=0.0)
    high = max((float(values.max()) for values in finite if values.size), default=1.0)
    if low < 0.0:
        high = max(-low, high)
        low = -high
    return low, high


def _chosen(session: Session, names: Collection[str]) -> list[tuple[int, Pass]]:
    for name in names:
        if session.plan.find(name) is None:
            valid = [each.name for each in session.plan.passes]
            raise TexelscopeError("--pass", "a pass of the plan", f"'{name}'", nearest(name, valid))
    wanted = {found.name for name in names if (found := session.plan.find(name)) is not None}
    return [
        (position, each)
        for position, each in enumerate(session.plan.passes)
        if session.has_run(each.name) and (not wanted or each.name in wanted)
    ]


def _stem(position: int, each: Pass) -> str:
    """What a layer is called on disk: in order, and apart from others whose names differ in odd letters alone."""
    return f"{position:03d}_{file_stem(each.name, 'pass')}"


def _write_png(session: Session, each: Pass, unfinished: Path) -> None:
    pixels, low, high = picture(session.texels(each.output))
    stored = session.plan.textures[each.output]
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Title", printable(each.name))
    notes.add_text(
        "Description",
        f"{printable(each.operator)} {list(stored.shape)} in {stored.layout.name}, {low:.9g} to {high:.9g}",
    )
    Image.fromarray(pixels, "RGB").save(unfinished, pnginfo=notes)


def _write_npy(session: Session, each: Pass, unfinished: Path) -> None:
    np.save(unfinished, session.tensor(each.output), allow_pickle=False)


def _write_exr(session: Session, each: Pass, unfinished: Path) -> None:
    import OpenEXR  # a large library, wanted by few runs

    texels = session.texels(each.output)
    channels = {"Y": texels[..., 0]} if texels.shape[2] == 1 else {"RGBA": texels}
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
    with OpenEXR.File(header, {name: np.ascontiguousarray(value) for name, value in channels.items()}) as file:
        file.write(str(unfinished))


_WRITERS: Mapping[str, Callable[[Session, Pass, Path], None]] = MappingProxyType(
    {"png": _write_png, "npy": _write_npy, "exr": _write_exr}
)
