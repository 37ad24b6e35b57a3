"""What a repair says was wrong as a cause, by its text or by what is read otherwise.

What speaks against a cause, and what confirms it, its rule says itself: `pipeline.diagnose.trial.hypothesis.Traits`.
"""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.diagnose.number_roles import Role
from texelscope.pipeline.repair.classify.meaning import Meaning
from texelscope.pipeline.repair.read_diff import Reading

# What a repair says was wrong: the cause, in words, what to do.
BY_MEANING: Mapping[Meaning, tuple[str, str, str]] = {
    "element": ("index_map", "this line says which element is taken", "Work the index out as the repair does."),
    "tensor": ("wrong_input", "this line reads another sampler", "Read the sampler that the repair does."),
    "partner": (
        "wrong_partner",
        "this line takes a value that belongs elsewhere",
        "Take the one that the repair does.",
    ),
    "before": (
        "activation_before_bias",
        "this line applies a function before all is added",
        "Add first, as the repair does.",
    ),
    "set": ("missing_channels", "this line sets a sum that is to be added to", "Add to it, as the repair does."),
    "more turns": ("missing_channels", "this loop ends too early", "Go on for as long as the repair does."),
    "fewer turns": ("double_counted", "this loop takes too many turns", "Take those that the repair does."),
    "function": ("wrong_function", "this line calls another function of a value", "Call the one that the repair does."),
    "number": ("wrong_literal", "this line has another number", "Write the number that the repair has."),
    "applied": ("activation_missing", "this line leaves a function of a value out", "Apply it as the repair does."),
    "taken away": ("activation_extra", "this line applies a function that the model does not have", "Take it away."),
    "count": ("average_count", "this line divides by another count", "Divide by the count that the repair has."),
    "epsilon": ("epsilon", "this line has the small constant otherwise", "Write it where and as the repair does."),
    "lanes": ("dropped_lane", "this line leaves lanes of a vector out", "Take all lanes, as the repair does."),
    "left out": (
        "missing_taps",
        "this line leaves out what was read for it",
        "Use each read once, as the repair does.",
    ),
    "setting": ("wrong_literal", "this line has another number", "Write the number that the repair has."),
    "filter": ("wrong_function", "this line filters otherwise", "Filter as the repair does."),
    "wrap": ("padding_mode", "this line says what is read beyond the border", "Wrap as the repair does."),
    "order": ("wrong_layout", "this line has the elements in another order", "Order them as the repair does."),
    "layout": ("wrong_layout", "this line lays a tensor out otherwise", "Lay it out as the repair does."),
    "size": ("index_map", "this line gives the size of something else", "Give the one that the repair does."),
    "half": ("half_precision", "this line stores what comes out in half precision", "Store it in float32."),
    "bytes": ("quantized_8bit", "this line stores what comes out in 256 steps", "Store it in float32 or float16."),
    "turned": ("filter_io_swap", "this line has a matrix on the other side", "Multiply as the repair does."),
    "factor": ("scale", "this line has another factor", "Multiply as the repair does."),
    "sign": ("scale", "this line has another sign", "Write the sign that the repair has."),
    "across": (
        "kernel_transpose",
        "this line counts rows of a window for columns",
        "Count them as the repair does.",
    ),
    "guard": ("extra_channels", "this line adds what is not there", "Add it where the repair does alone."),
    "steps": ("stride", "this line takes what lies between two steps", "Leave that out, as the repair does."),
    "reset": ("accumulator_not_reset", "a sum goes on from before", "Begin it anew where the repair does."),
    "capped": ("clamped_0_1", "this line holds a value between 0 and 1", "Take the clamp away."),
    "summand": ("bias_missing", "this line leaves out what is to be added", "Add it, as the repair does."),
    "half texel": ("half_texel", "this line is off by half a texel", "Add it, or leave it out, as the repair does."),
}
# Where the text of a repair says nothing of that kind: what the pass reads otherwise than with it.
BY_READING: Mapping[Reading, tuple[str, str, str]] = {
    "alike": ("wrong_function", "this line does something else with what is read", "Do what the repair does."),
    "left out": ("missing_taps", "some of what belongs to an element is not read for it", "Read what the repair does."),
    "other channels left out": ("missing_channels", "some channels are not read", "Read those that the repair does."),
    "too many": ("extra_channels", "more is read for an element than belongs to it", "Stop where the repair does."),
    "no bias": ("bias_missing", "a bias is not read", "Add it, as the repair does."),
    "unread": ("missing_taps", "some of what belongs to an element is not read for it", "Read what the repair does."),
    "a bias twice": ("bias_doubled", "a bias is read more often", "Add it once, as the repair does."),
    "twice": ("double_counted", "the same is read more often", "Read it as often as the repair does."),
    "beyond": ("padding_mode", "something is read beyond the border", "Leave out what the repair does."),
    "past the tile": ("tile_bleed", "what lies beyond the tile is read", "Stay inside, as the repair does."),
    "another bias": ("bias_offset", "another bias is added", "Add the one that the repair does."),
    "moved": ("shift", "everything is read some texels away", "Read where the repair does."),
    "other steps": ("stride", "what is read moves on by other steps", "Move on by those that the repair takes."),
    "other distances": ("dilation", "what is read lies at other distances", "Read at those that the repair takes."),
    "elsewhere": ("index_map", "other elements are read", "Read those that the repair does."),
    "another tensor": ("wrong_input", "another tensor is read", "Read the one that the repair does."),
}
_OF_PLACES: frozenset[Reading] = frozenset(
    {"another bias", "moved", "other steps", "other distances", "past the tile", "beyond"}
)
_OTHERS: frozenset[Reading] = frozenset({"elsewhere", "another tensor", "a bias twice"})
_OF_LOOPS: frozenset[Reading] = frozenset({"left out", "other channels left out", "too many", "twice"})
# By what a text says the readings that say more of the same: where an element lies, what a number counts.
READ_FIRST: Mapping[Meaning, frozenset[Reading]] = {
    "element": _OF_PLACES,
    "partner": _OF_PLACES,
    "function": _OF_PLACES | {"elsewhere"},  # of a place
    "number": _OF_PLACES | _OTHERS,
    **dict.fromkeys(("setting", "size", "more turns", "fewer turns"), _OF_PLACES | _OF_LOOPS | _OTHERS),
}
# What a number is to the model, where another one is written.
BY_ROLE: Mapping[Role, tuple[str, str, str]] = {
    "weight": BY_MEANING["number"],
    "alpha": ("alpha", "this line has another constant of the activation", "Write the one that the repair has."),
    "epsilon": BY_MEANING["epsilon"],
    "scale": ("scale", "this line has another factor", "Write the one that the repair has."),
}
# Where no window moves over a picture: the elements of a row are no taps, and beyond its end no border is.
OF_ROWS: Mapping[str, str] = {
    "missing_taps": "missing_channels",
    "padding_mode": "extra_channels",
    "stride": "index_map",
    "dilation": "index_map",
    "kernel_transpose": "index_map",
    "shift": "index_map",
}
