"""All planted bugs: those that rules may be written against, and those kept aside to see whether the rules hold."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tests.faults import seen_more_limits
from tests.faults.fault import Fault
from tests.faults.held_out.computing import activations as held_out_values
from tests.faults.held_out.computing import nameless as held_out_more_nameless
from tests.faults.held_out.reading import kernels as held_out_more_weights
from tests.faults.held_out.reading import places as held_out_reading
from tests.faults.held_out.reading import sampling as held_out_more_reading
from tests.faults.held_out.storing import formats as held_out_more_values
from tests.faults.seen.computing import biases as seen_breadth
from tests.faults.seen.computing import factors as seen_computing
from tests.faults.seen.computing import nameless as seen_more_nameless
from tests.faults.seen.computing import sums as seen_more_values
from tests.faults.seen.numbers import not_finite as seen_numbers
from tests.faults.seen.reading import channels as seen_operators
from tests.faults.seen.reading import kernels as seen_styles
from tests.faults.seen.reading import places as seen_reading
from tests.faults.seen.reading import sampling as seen_sampling
from tests.faults.seen.reading import steps as seen_more_reading
from tests.faults.seen.storing import arrangement as seen_breadth_storing
from tests.faults.seen.storing import formats as seen_breadth_numbers
from tests.faults.seen.storing import old_textures as seen_more_storing
from tests.faults.seen.storing import state as seen_storing
from tests.faults.subjects import Subject

MORE: tuple[Fault, ...] = (*seen_more_reading.FAULTS, *seen_more_values.FAULTS, *seen_more_storing.FAULTS)
# Known limits: they show, and no test asks the diagnosis for their names.
NOT_YET_NAMED: tuple[Fault, ...] = tuple(fault for fault in MORE if fault.name in seen_more_limits.NOT_YET_NAMED)
SEEN: tuple[Fault, ...] = (
    *seen_reading.FAULTS,
    *seen_sampling.FAULTS,
    *seen_computing.FAULTS,
    *seen_storing.FAULTS,
    *seen_numbers.FAULTS,
    *seen_breadth.FAULTS,
    *seen_breadth_numbers.FAULTS,
    *seen_breadth_storing.FAULTS,
    *seen_operators.FAULTS,
    *seen_styles.FAULTS,
    *(fault for fault in MORE if fault not in NOT_YET_NAMED),
)
HELD_OUT: tuple[Fault, ...] = (
    *held_out_reading.FAULTS,
    *held_out_values.FAULTS,
    *held_out_more_reading.FAULTS,
    *held_out_more_weights.FAULTS,
    *held_out_more_values.FAULTS,
)
# Bugs that no cause describes, of which nothing untrue may be said.
SEEN_NAMELESS: tuple[Fault, ...] = seen_more_nameless.FAULTS
HELD_OUT_NAMELESS: tuple[Fault, ...] = held_out_more_nameless.FAULTS
HALVES: Mapping[str, tuple[Fault, ...]] = MappingProxyType(
    {"seen": SEEN, "not_yet_named": NOT_YET_NAMED, "held_out": HELD_OUT}
)

# Every cause that a finding may name, by family.
CAUSES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "reading": (
            "shift", "flip_x", "flip_y", "transpose_xy", "channel_permutation", "tile_bleed", "padding_mode", "stride",
            "dilation", "kernel_flip", "kernel_transpose", "filter_io_swap", "filter_offset", "missing_taps",
            "missing_channels", "extra_channels", "group_ignored", "linear_filtering", "half_texel", "texel_edge",
            "float_index_precision", "wrong_input",
        ),
        "computing": (
            "bias_missing", "bias_doubled", "bias_offset", "scale", "affine", "activation_missing", "activation_extra",
            "activation_before_bias", "accumulator_not_reset", "average_count", "epsilon", "alpha",
        ),
        "storing": (
            "clamped_0_1", "clamped_nonnegative", "quantized_8bit", "half_precision", "half_overflow", "srgb_encoded",
            "blend_enabled", "unwritten_texels", "stale_tensor", "feedback_loop", "wrong_layout", "viewport_mismatch",
            "dropped_lane",
        ),
        "numbers": ("nan_source", "inf_source", "precision", "nondeterministic"),
    }
)  # fmt: skip


def every_fault() -> tuple[Fault, ...]:
    """All planted bugs, those without a name too."""
    named = (fault for half in HALVES.values() for fault in half)
    return (*named, *SEEN_NAMELESS, *HELD_OUT_NAMELESS)


def healthy_twins() -> dict[str, Subject]:
    """Every subject that a fault is planted in, once, by title."""
    subjects = (fault.subject() for fault in every_fault())
    return {subject.title: subject for subject in subjects}
