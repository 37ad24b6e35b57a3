"""Causes for repairs, by the repair's text or by the reads that it changes.

A cause's rule says what contradicts and what confirms it: `pipeline.diagnose.trial.hypothesis.Traits`.
"""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.diagnose.number_roles import Role
from texelscope.pipeline.repair.classify.meaning import Meaning
from texelscope.pipeline.repair.read_diff import Reading

# For each class of edits: the cause, its description, and the remedy.
BY_MEANING: Mapping[Meaning, tuple[str, str, str]] = {
    "element": ("index_map", "this line reads another element", "Compute the index as the repair does."),
    "tensor": ("wrong_input", "this line reads another sampler", "Read the sampler that the repair reads."),
    "partner": (
        "wrong_partner",
        "this line uses a value that belongs elsewhere",
        "Use the value that the repair uses.",
    ),
    "before": (
        "activation_before_bias",
        "this line applies a function before the sum is complete",
        "Add first, as the repair does.",
    ),
    "set": ("missing_channels", "this line assigns a sum instead of adding to it", "Add, as the repair does."),
    "more turns": ("missing_channels", "this loop ends too early", "End the loop where the repair does."),
    "fewer turns": ("double_counted", "this loop runs too often", "Run it as often as the repair does."),
    "function": ("wrong_function", "this line calls another function", "Call the function that the repair calls."),
    "number": ("wrong_literal", "this line has another number", "Write the number that the repair has."),
    "applied": ("activation_missing", "this line omits a function", "Apply it as the repair does."),
    "taken away": ("activation_extra", "this line applies a function that the model does not have", "Remove it."),
    "count": ("average_count", "this line divides by another count", "Divide by the count that the repair has."),
    "epsilon": ("epsilon", "this line has another epsilon, or has it elsewhere", "Write it as the repair does."),
    "lanes": ("dropped_lane", "this line omits lanes of a vector", "Use all lanes, as the repair does."),
    "left out": (
        "missing_taps",
        "this line omits a value that was read for it",
        "Use each read once, as the repair does.",
    ),
    "setting": ("wrong_literal", "this line has another number", "Write the number that the repair has."),
    "filter": ("wrong_function", "this line has another filter", "Filter as the repair does."),
    "wrap": ("padding_mode", "this line has another wrap mode", "Wrap as the repair does."),
    "order": ("wrong_layout", "this line has the elements in another order", "Order them as the repair does."),
    "layout": ("wrong_layout", "this line gives a tensor another layout", "Use the repair's layout."),
    "size": ("index_map", "this line has the size of something else", "Use the repair's size."),
    "half": ("half_precision", "this line stores the result in half precision", "Store it in float32."),
    "bytes": ("quantized_8bit", "this line stores the result in 256 steps", "Store it in float32 or float16."),
    "turned": ("filter_io_swap", "this line has a matrix on the other side", "Multiply as the repair does."),
    "factor": ("scale", "this line has another factor", "Multiply as the repair does."),
    "sign": ("scale", "this line has another sign", "Write the sign that the repair has."),
    "across": (
        "kernel_transpose",
        "this line confuses rows and columns of a window",
        "Count them as the repair does.",
    ),
    "guard": ("extra_channels", "this line adds values beyond the last one", "Add only where the repair does."),
    "steps": ("stride", "this line includes values between two steps", "Leave them out, as the repair does."),
    "reset": ("accumulator_not_reset", "a sum is not reset", "Reset it where the repair does."),
    "capped": ("clamped_0_1", "this line clamps a value to 0 … 1", "Remove the clamp."),
    "summand": ("bias_missing", "this line omits an addend", "Add it, as the repair does."),
    "half texel": ("half_texel", "this line is off by half a texel", "Add it, or omit it, as the repair does."),
}
# If the repair's text has no class: how the pass's reads differ from the repaired pass's.
BY_READING: Mapping[Reading, tuple[str, str, str]] = {
    "alike": ("wrong_function", "this line does something else with the values read", "Do what the repair does."),
    "left out": ("missing_taps", "some values of an element are not read", "Read what the repair reads."),
    "other channels left out": ("missing_channels", "some channels are not read", "Read those that the repair reads."),
    "too many": ("extra_channels", "more values are read for an element than it has", "Stop where the repair does."),
    "no bias": ("bias_missing", "a bias is not read", "Add it, as the repair does."),
    "unread": ("missing_taps", "some values of an element are not read", "Read what the repair reads."),
    "a bias twice": ("bias_doubled", "a bias is read more than once", "Add it once, as the repair does."),
    "twice": ("double_counted", "the same value is read more than once", "Read it as often as the repair does."),
    "beyond": ("padding_mode", "a read lies beyond the border", "Omit what the repair omits."),
    "past the tile": ("tile_bleed", "a read lies beyond the tile", "Stay inside, as the repair does."),
    "another bias": ("bias_offset", "another bias is added", "Add the bias that the repair adds."),
    "moved": ("shift", "all reads are some texels off", "Read where the repair does."),
    "other steps": ("stride", "the reads move by other steps", "Move by the repair's steps."),
    "other distances": ("dilation", "the reads are at other distances", "Read at the repair's distances."),
    "elsewhere": ("index_map", "other elements are read", "Read those that the repair reads."),
    "another tensor": ("wrong_input", "another tensor is read", "Read the tensor that the repair reads."),
}
_OF_PLACES: frozenset[Reading] = frozenset(
    {"another bias", "moved", "other steps", "other distances", "past the tile", "beyond"}
)
_OTHERS: frozenset[Reading] = frozenset({"elsewhere", "another tensor", "a bias twice"})
_OF_LOOPS: frozenset[Reading] = frozenset({"left out", "other channels left out", "too many", "twice"})
# For each class of edits the changes of reads that are more specific: an element's place, a number's meaning.
READ_FIRST: Mapping[Meaning, frozenset[Reading]] = {
    "element": _OF_PLACES,
    "partner": _OF_PLACES,
    "function": _OF_PLACES | {"elsewhere"},  # of a place
    "number": _OF_PLACES | _OTHERS,
    **dict.fromkeys(("setting", "size", "more turns", "fewer turns"), _OF_PLACES | _OF_LOOPS | _OTHERS),
}
# A replaced number's role in the model.
BY_ROLE: Mapping[Role, tuple[str, str, str]] = {
    "weight": BY_MEANING["number"],
    "alpha": ("alpha", "this line has another constant of the activation", "Write the constant that the repair has."),
    "epsilon": BY_MEANING["epsilon"],
    "scale": ("scale", "this line has another factor", "Write the factor that the repair has."),
}
# Without a window over a picture the elements of a row are not taps, and no border lies beyond its end.
OF_ROWS: Mapping[str, str] = {
    "missing_taps": "missing_channels",
    "padding_mode": "extra_channels",
    "stride": "index_map",
    "dilation": "index_map",
    "kernel_transpose": "index_map",
    "shift": "index_map",
}
