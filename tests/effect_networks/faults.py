"""Bugs of indices planted in effects: what each changes, which texture is then the first wrong one, and its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.effect_networks import magpie, reshade


@dataclass(frozen=True)
class EffectFault:
    """A bug in the text of an effect, in which `old` becomes `new` everywhere behind `where` and before the next pass.

    `culprit` is the pass that is wrong, and `causes` are names that are true of the bug.
    """

    name: str
    suffix: str
    text: Callable[[], str]
    where: str
    old: str
    new: str
    culprit: str
    causes: tuple[str, ...]

    @property
    def wrong(self) -> str:
        """The text with the bug in it."""
        whole = self.text()
        start = whole.index(self.where)
        end = whole.find("//!PASS", start + 8) if "//!PASS" in whole else len(whole)
        end = len(whole) if end < 0 else end
        part, count = re.subn(self.old, self.new, whole[start:end])
        assert count, self.name
        return whole[:start] + part + whole[end:]


def _of_both_signs(number: int, name: str, old: str, new: str, culprit: str, *causes: str) -> EffectFault:
    return EffectFault(name, ".hlsl", magpie.both_signs, f"//!PASS {number}", old, new, culprit, causes)


def _of_tiles(number: int, name: str, old: str, new: str, culprit: str, *causes: str) -> EffectFault:
    return EffectFault(name, ".hlsl", magpie.shared_tiles, f"//!PASS {number}", old, new, culprit, causes)


def _of_half_size(where: str, name: str, old: str, new: str, culprit: str, *causes: str) -> EffectFault:
    return EffectFault(name, ".fx", reshade.half_size, where, old, new, culprit, causes)


FAULTS: tuple[EffectFault, ...] = (
    _of_both_signs(
        1,
        "columns and rows of the square exchanged",
        r"\[i( [-+] 1)?\]\[j( [-+] 1)?\], MF3x4",
        r"[i\2][j\1], MF3x4",
        "tex1",
        "kernel_transpose",
    ),
    _of_both_signs(
        2,
        "columns and rows of the kernel exchanged",
        r"pos \+ float2\((-?\d), (-?\d)\)",
        r"pos + float2(\2, \1)",
        "tex3",
        "kernel_transpose",
    ),
    _of_both_signs(2, "texels two apart", r"\) \* inputPt, 0", r") * inputPt * 2, 0", "tex3", "dilation"),
    _of_both_signs(2, "a texel too far right", r"\(gxy \+ 0.5f\)", r"(gxy + float2(1.5, 0.5))", "tex3", "shift"),
    _of_both_signs(
        2,
        "the first texture read as the second",
        r"tex2\.Sample",
        r"tex1.Sample",
        "tex3",
        "wrong_input",
        "wrong_partner",
        "channel_permutation",
        "missing_channels",
    ),
    _of_both_signs(
        2,
        "both results exchanged",
        r"tex3\[gxy\] = target1;\n\ttex4\[gxy\] = target2",
        r"tex4[gxy] = target1;\n\ttex3[gxy] = target2",
        "tex3",
        "filter_offset",
        "channel_permutation",
    ),
    _of_tiles(
        1,
        "kernel transposed",
        r"tile\[at\.y \+ (\d)\]\[at\.x \+ (\d)\], MF4",
        r"tile[at.y + \2][at.x + \1], MF4",
        "feature1",
        "kernel_transpose",
    ),
    _of_tiles(1, "one texel less before the tile", r"/ TILE_X\) - 2", r"/ TILE_X) - 1", "feature1", "shift"),
    _of_tiles(1, "nothing beyond the edge", r"\t\tplace = clamp.*\n", r"", "feature1", "padding_mode", "texel_edge"),
    _of_tiles(
        2,
        "matrix times vector the other way round",
        r"mul\((MF4x4\(.*?\)), (feature2.*?0\))\)",
        r"mul(\2, \1)",
        "narrow",
        "filter_io_swap",
    ),
    _of_half_size(
        "void FeaturesPS",
        "columns and rows of a constant array exchanged",
        r"y \* 3 \+ x",
        r"x * 3 + y",
        "texFeature0",
        "kernel_transpose",
    ),
    _of_half_size(
        "void FeaturesPS",
        "a texel too far down",
        r"float2\(x - 1, y - 1\)",
        r"float2(x - 1, y)",
        "texFeature0",
        "shift",
    ),
    _of_half_size(
        "int2 at(",
        "nothing beyond the edge",
        r"clamp\(place \+ offset, 0, .*\) - 1\)",
        r"place + offset",
        "texMixed",
        "padding_mode",
        "texel_edge",
    ),
    _of_half_size(
        "void MixCS",
        "matrices and vectors the other way round",
        r"mul\((float4x4\(.*?\)), (tex2Dfetch.*\)\))\)",
        r"mul(\2, \1)",
        "texMixed",
        "filter_io_swap",
    ),
)
