"""Every cause has its rule."""

from __future__ import annotations

from pipeline.diagnose.rules.registry import all_rules

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
    "wrong_literal",
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


def test_every_cause_has_its_rule() -> None:
    assert sorted(all_rules()) == sorted(CAUSES)
