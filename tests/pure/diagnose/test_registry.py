"""Rules are found in their folder; a bad one is an error that names its file."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from pipeline.diagnose.registry import all_rules, discover
from pipeline.errors import TexelscopeError

CAUSES = [
    "shift",
    "flip_x",
    "flip_y",
    "transpose_xy",
    "channel_permutation",
    "tile_bleed",
    "padding_mode",
    "stride",
    "dilation",
    "kernel_flip",
    "kernel_transpose",
    "filter_io_swap",
    "filter_offset",
    "missing_taps",
    "missing_channels",
    "extra_channels",
    "group_ignored",
    "linear_filtering",
    "half_texel",
    "texel_edge",
    "float_index_precision",
    "wrong_input",
    "bias_missing",
    "bias_doubled",
    "bias_offset",
    "scale",
    "affine",
    "activation_missing",
    "activation_extra",
    "activation_before_bias",
    "accumulator_not_reset",
    "average_count",
    "epsilon",
    "alpha",
    "clamped_0_1",
    "clamped_nonnegative",
    "quantized_8bit",
    "half_precision",
    "half_overflow",
    "srgb_encoded",
    "blend_enabled",
    "unwritten_texels",
    "stale_tensor",
    "feedback_loop",
    "wrong_layout",
    "viewport_mismatch",
    "dropped_lane",
    "nan_source",
    "inf_source",
    "precision",
    "nondeterministic",
]

GOOD = '''"""A rule."""
from pipeline.diagnose.hypothesis import Band, Rule

class Made(Rule):
    """Says something."""
    cause = "made"
    band = Band.PARTS

    def propose(self, case):
        return ()
'''


def package(folder: Path, name: str, text: str) -> ModuleType:
    inside = folder / name
    inside.mkdir()
    (inside / "__init__.py").write_text('"""Rules."""')
    (inside / "made.py").write_text(text)
    made = ModuleType(name)
    made.__path__ = [str(inside)]
    sys.modules[name] = made
    return made


def test_every_cause_has_its_rule() -> None:
    assert sorted(all_rules()) == sorted(CAUSES)


def test_a_module_in_the_folder_is_a_rule(tmp_path: Path) -> None:
    assert list(discover(package(tmp_path, "good_rules", GOOD))) == ["made"]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("broken_rules", '"""A rule."""', "import nothing_like_this", "expected a module that imports"),
        ("empty_rules", "class Made(Rule):", "class Made:", "expected exactly one subclass of Rule"),
        ("misnamed_rules", '"made"', '"other"', "expected cause = 'made', like the file, got 'other'"),
        ("bandless_rules", "    band = Band.PARTS\n", "", "expected a band, got None"),
        ("silent_rules", '    """Says something."""\n', "", "expected a docstring that says what the cause is"),
    ],
)
def test_a_bad_rule_is_refused_by_name(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    with pytest.raises(TexelscopeError, match=message) as caught:
        discover(package(tmp_path, name, GOOD.replace(old, new)))
    assert "made" in caught.value.who
