"""Parses the name of one of ncnn's shaders: the layer, and the channels per packed element."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

PACKS = (1, 4, 8)
_PACK = re.compile(r"_pack(?P<pack>[148])(?:to(?P<out>[148]))?(?=_|$)")
# Variants of a layer whose names follow the pack: convolution_pack4_1x1s1d1.
_PACK_BEFORE = re.compile(r"(?P<layer>(?:de)?convolution(?:1d)?)(?P<kind>_(?:1x1s1d1|gemm|col2im|3x3s1d1\w*))")


@dataclass(frozen=True)
class ShaderName:
    """Holds a parsed name; `family` lacks the packs: `convolution_1x1s1d1` of convolution_pack4to8_1x1s1d1."""

    family: str
    pack: int = 1
    out_pack: int = 1
    stem: str = ""

    @property
    def suffix(self) -> str:
        """Returns the packs in the name: `_pack4`, `_pack4to8`, empty for single channels."""
        match = _PACK.search(self.stem)
        return match[0] if match is not None else ""


def named(path: Path | str) -> ShaderName:
    """Parses the name of a file."""
    stem = Path(path).stem
    match = _PACK.search(stem)
    if match is None:
        return ShaderName(stem, stem=stem)
    pack = int(match["pack"])
    return ShaderName(stem[: match.start()] + stem[match.end() :], pack, int(match["out"] or pack), stem)


def sibling(path: Path, pack: int) -> Path:
    """Returns the file of the same layer for that elempack, in and out, which ncnn's tree has in the same folder."""
    family, said = named(path).family, f"_pack{pack}" if pack > 1 else ""
    match = _PACK_BEFORE.fullmatch(family)
    stem = f"{match['layer']}{said}{match['kind']}" if match is not None else family + said
    return path.with_name(stem + path.suffix)
