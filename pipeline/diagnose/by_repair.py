"""What a repair says was wrong as a cause, by its text or by what is read otherwise; and what is at odds with that."""

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
# Causes that another element, or another number, is none of: what mends the pass is at odds with them.
AT_ODDS: Mapping[Meaning, frozenset[str]] = {
    "element": frozenset({"wrong_input", "scale", "affine", "epsilon", "alpha", "wrong_literal", "wrong_layout"}),
    "across": frozenset({"wrong_input", "scale", "affine", "epsilon", "alpha", "wrong_literal"}),
    "tensor": frozenset({"scale", "affine", "index_map", "channel_permutation", "shift", "wrong_function"}),
    "function": frozenset({"wrong_input", "index_map", "channel_permutation", "stride", "shift", "scale", "affine"}),
    "number": frozenset({"wrong_input", "index_map", "channel_permutation", "wrong_partner", "wrong_layout", "affine"}),
    "applied": frozenset({"activation_extra", "wrong_input", "clamped_nonnegative"}),
    "taken away": frozenset({"activation_missing", "wrong_input"}),
    "count": frozenset({"wrong_input", "index_map", "alpha", "affine", "wrong_function"}),
    "factor": frozenset({"wrong_function", "wrong_input"}),
    "epsilon": frozenset({"wrong_input", "index_map", "scale", "affine", "bias_missing", "alpha"}),
    **dict.fromkeys(
        ("filter", "wrap", "order", "layout", "size"),
        frozenset({"wrong_input", "scale", "affine", "wrong_literal", "wrong_partner"}),
    ),
    **dict.fromkeys(("half", "bytes"), frozenset({"precision", "unwritten_texels", "wrong_input", "index_map"})),
    "half texel": frozenset({"wrong_input", "scale", "affine"}),
    "lanes": frozenset({"wrong_input", "channel_permutation", "epsilon"}),
    "left out": frozenset({"channel_permutation", "epsilon"}),
    **dict.fromkeys(("setting", "turned", "sign", "summand", "capped", "reset", "guard", "steps"), frozenset()),
    "partner": frozenset(
        {"scale", "affine", "epsilon", "alpha", "activation_extra", "shift", "channel_permutation", "wrong_input"}
    ),
    "before": frozenset({"activation_extra", "activation_missing", "wrong_input", "scale", "affine", "clamped_0_1"}),
    "set": frozenset({"wrong_input", "channel_permutation", "activation_extra", "bias_doubled"}),
    "more turns": frozenset({"activation_extra", "wrong_input", "transpose_xy", "wrong_literal", "epsilon"}),
    "fewer turns": frozenset({"activation_extra", "wrong_input", "transpose_xy", "wrong_literal", "epsilon"}),
}
# Causes that say where something is taken from, or that it is read at all; and those that say what is done with it.
_PLACES = frozenset(
    {
        "shift", "flip_x", "flip_y", "transpose_xy", "channel_permutation", "index_map", "kernel_flip",
        "kernel_transpose", "filter_io_swap", "filter_offset", "bias_offset", "wrong_input", "stride", "dilation",
    }
)  # fmt: skip
_DONE = frozenset({"scale", "affine", "epsilon", "alpha", "activation_extra", "activation_missing", "wrong_literal",
                   "clamped_0_1", "clamped_nonnegative", "average_count", "activation_before_bias"})  # fmt: skip
_LEFT_OUT = frozenset({"missing_taps", "missing_channels", "bias_missing"})
# Causes that the recorded reads of the mended pass are at odds with.
AT_ODDS_BY_READING: Mapping[Reading, frozenset[str]] = {
    "alike": frozenset({"tile_bleed", "extra_channels", "padding_mode", "shift", "stride", "dilation"}),
    "left out": _PLACES | {"extra_channels", "double_counted", "activation_extra", "wrong_literal"},
    "other channels left out": _PLACES | {"extra_channels", "double_counted", "activation_extra", "wrong_literal"},
    "unread": _PLACES | {"extra_channels", "double_counted", "activation_extra", "wrong_literal"},
    "no bias": _PLACES | {"extra_channels", "double_counted", "activation_extra", "bias_doubled"},
    "a bias twice": _PLACES | _LEFT_OUT | {"activation_missing"},
    "too many": _PLACES | _LEFT_OUT | {"activation_missing", "wrong_literal"},
    "twice": _PLACES | _LEFT_OUT | {"activation_missing", "wrong_literal", "extra_channels"},
    **dict.fromkeys(("beyond", "past the tile"), _LEFT_OUT | {"activation_missing", "wrong_literal", "transpose_xy"}),
    **dict.fromkeys(("elsewhere", "moved", "other steps", "other distances"), _DONE | {"missing_channels"}),
    **dict.fromkeys(
        ("another bias", "another tensor"),
        _DONE | _LEFT_OUT | (_PLACES - {"wrong_input", "bias_offset", "index_map"}),
    ),
}
# Causes that a factor which is put in does not mend.
OF_SUMS = frozenset({"bias_missing", "bias_doubled", "bias_offset", "activation_before_bias"})
# Causes by which something was left out.
LESS = frozenset({"bias_missing", "activation_missing", "missing_taps", "missing_channels", "dropped_lane"})
# By what a repair says the causes that are of the same kind, only known more closely; each is of its own. A factor, a
# slope, another order of channels or a shift is what many a fault amounts to: these no other word confirms.
CONFIRMS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("wrong_function", "scale", "bias_missing", "filter_io_swap", "accumulator_not_reset", "clamped_0_1"),
        frozenset(
            {
                "average_count", "epsilon", "activation_missing", "bias_missing", "half_precision", "filter_io_swap",
                "kernel_flip", "kernel_transpose", "quantized_8bit", "accumulator_not_reset", "nan_source",
                "inf_source",
            }
        ),
    ),
    "index_map": frozenset(
        {
            "filter_io_swap", "filter_offset", "kernel_flip", "kernel_transpose", "transpose_xy", "bias_offset",
            "stride", "dilation", "wrong_layout", "wrong_partner", "half_texel", "texel_edge",
        }
    ),
    **dict.fromkeys(
        ("missing_taps", "missing_channels", "dropped_lane"),
        frozenset({"missing_taps", "missing_channels", "dropped_lane", "bias_missing"}),
    ),
    **dict.fromkeys(
        ("padding_mode", "tile_bleed", "extra_channels"), frozenset({"padding_mode", "tile_bleed", "extra_channels"})
    ),
    "double_counted": frozenset({"bias_doubled", "tile_bleed", "padding_mode"}),
    "wrong_partner": frozenset({"wrong_input", "filter_offset", "bias_offset"}),
    "wrong_literal": frozenset({"alpha", "epsilon", "average_count", "scale"}),
}  # fmt: skip
