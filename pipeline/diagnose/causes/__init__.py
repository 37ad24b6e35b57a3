"""The table of causes: each row says what a cause is, how it is known, and how it relates to repairs.

Hypotheses name a row, findings and reports its name. `pipeline.diagnose.hypotheses` has its generators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

# What goes wrong: the places of reads, the computation, the storage, or numbers alone.
Family = Literal["reading", "computing", "storing", "numbers"]


@dataclass(frozen=True, eq=False)
class Cause:
    """A cause that a finding may name: its name, what it is, how it is known, and its remedy where that is fixed.

    The other fields say how it relates to a repair and to the search for one.

    `repaired_in` says whether edits of addresses or of values fix it; `edits` are kinds of edits to try first
    (`pipeline.repair.text.mutation`), `words` those that such an edit may contain. `leaves_out`: something is
    missing. `bends_values`: only the removal of a function fixes it. `is_of_sums`: no inserted factor fixes it.
    `may_be_the_plan`: it may lie in bindings, sampling or state instead of the text. `is_set_in_the_file`: its
    parameters are values of unset uniforms, by their keys in the pipeline file. `is_seen`: the wrong values
    themselves show it, whichever edit makes them right. `is_rounding`: it bounds errors and reproduces none.
    `confirmed_by` names less specific causes of the same kind, by which a repair confirms this one.
    `denied_by_edits` are classes of edits (`pipeline.repair.classify`), and `denied_by_reads` changes of the recorded
    reads (`pipeline.repair.read_diff`), that contradict it.
    """

    name: str
    family: Family
    meaning: str
    known_by: str = ""
    remedy: str = ""
    repaired_in: Literal["addresses", "values"] | None = None
    edits: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    leaves_out: bool = False
    bends_values: bool = False
    is_of_sums: bool = False
    may_be_the_plan: bool = False
    is_set_in_the_file: bool = False
    is_seen: bool = False
    is_rounding: bool = False
    confirmed_by: frozenset[str] = frozenset()
    denied_by_edits: frozenset[str] = frozenset()
    denied_by_reads: frozenset[str] = frozenset()


# Differences of recorded reads that contradict the same causes.
ELSEWHERE = frozenset({"elsewhere", "moved", "other steps", "other distances"})
ANOTHER = frozenset({"another bias", "another tensor"})
LESS_READ = frozenset({"left out", "other channels left out", "unread", "no bias"})
MORE_READ = frozenset({"too many", "twice"})
BEYOND = frozenset({"beyond", "past the tile"})
# Those that deny a cause that reads as many values, and of the same tensors; and one that reads at the same places.
OTHER_TERMS = ANOTHER | LESS_READ | MORE_READ | {"a bias twice"}
OTHER_PLACES = ELSEWHERE | ANOTHER
# Edits that belong to no straight line over values.
_NO_STRAIGHT_LINE = frozenset(
    {"across", "before", "element", "epsilon", "filter", "function", "half texel", "layout", "order", "partner",
    "size", "tensor", "wrap"}
)  # fmt: skip
# Causes implied by a repair that confirm many of the more specific ones.
USUALLY_CONFIRMING = frozenset(
    {"accumulator_not_reset", "bias_missing", "clamped_0_1", "filter_io_swap", "scale", "wrong_function"}
)

# -- places of reads and writes ---------------------------------------------------------------------------------------

CHANNEL_PERMUTATION = Cause(
    "channel_permutation", "reading",
    "Channels are read or written in another order: counted from the last, packed otherwise, red and blue swapped.",
    "the wrong values are those of the layer with channels in another order.",
    remedy="Order channels as the layout does: tile or lane k holds channel k.",
    repaired_in="addresses",
    denied_by_edits=frozenset({"function", "lanes", "left out", "number", "partner", "set", "tensor"}),
    denied_by_reads=OTHER_TERMS,
)  # fmt: skip
DILATION = Cause(
    "dilation", "reading", "The taps of the window are further apart, or closer, than the layer's.",
    "the wrong values are those of the layer whose taps lie at other distances.",
    remedy="Multiply the tap's index by the layer's dilation.",
    repaired_in="addresses", confirmed_by=frozenset({"index_map"}), denied_by_reads=OTHER_TERMS | {"alike"},
)  # fmt: skip
DOUBLE_COUNTED = Cause(
    "double_counted", "reading",
    "Some products are added more than once: by overlapping steps, or by a remainder loop that starts too early.",
    "a pass reads other elements, pairs wrong factors, or counts products twice.",
    remedy="Add every product once: check where each loop starts and its step.",
    denied_by_reads=LESS_READ,
)  # fmt: skip
EXTRA_CHANNELS = Cause(
    "extra_channels", "reading",
    "More channels (or terms) are read than there are: padding lanes, the next group, the next picture.",
    "the wrong values are those of the layer with terms beyond the last one.",
    confirmed_by=frozenset({"extra_channels", "padding_mode", "tile_bleed"}),
    denied_by_reads=LESS_READ | {"alike", "twice"},
)  # fmt: skip
FILTER_IO_SWAP = Cause(
    "filter_io_swap", "reading", "The weight from input i to output o is read where that from o to i is stored.",
    "the wrong values are those of the layer with the two channel axes of its weights swapped.",
    remedy="Swap the input and output index of the weights: transposed convolutions store inputs first.",
    repaired_in="addresses", confirmed_by=USUALLY_CONFIRMING | {"index_map"}, denied_by_reads=OTHER_TERMS,
)  # fmt: skip
FILTER_OFFSET = Cause(
    "filter_offset", "reading", "Another filter's weights are used, or weights at a constant offset.",
    "the wrong values are those of the layer with its weights read at an offset.",
    remedy="Index the weights by output channel, input channel and tap.",
    repaired_in="addresses", edits=("added",), confirmed_by=frozenset({"index_map", "wrong_partner"}),
    denied_by_reads=OTHER_TERMS,
)  # fmt: skip
FLIP_X = Cause(
    "flip_x", "reading", "Columns are counted from the other side, in every tile or in the whole texture.",
    "the wrong values are those of the layer with the columns of a picture in reverse.",
    remedy="Count columns from the left: the first in memory is shown there.",
    denied_by_reads=OTHER_TERMS,
)  # fmt: skip
FLIP_Y = Cause(
    "flip_y", "reading", "Rows are counted from the other end, in every tile or in the whole texture.",
    "the wrong values are those of the layer with the rows of a picture in reverse.",
    remedy="Count rows from the top: the first in memory is shown there.",
    denied_by_reads=OTHER_TERMS,
)  # fmt: skip
FLOAT_INDEX_PRECISION = Cause(
    "float_index_precision", "reading",
    "An index computed in floats is rounded below or above the integer: some elements are off by one.",
    "wrong elements, at regular distances, hold values of others or read elsewhere.",
    remedy="Compute indices in integers, or add 0.5 before floor: floats hold no exact thirds.",
    is_rounding=True,
)  # fmt: skip
GROUP_IGNORED = Cause(
    "group_ignored", "reading",
    "A grouped convolution reads the first group's channels for every group, or another group's.",
    "the wrong values are those of the layer whose groups read other channels.",
    remedy="Start at the first input channel of the output's group.",
    repaired_in="addresses",
)  # fmt: skip
HALF_TEXEL = Cause(
    "half_texel", "reading", "Coordinates are half a texel off: texel corners are used instead of texel centres.",
    "the pass becomes right when it is drawn again with one thing changed.",
    remedy="Add 0.5 to the texel's index before dividing by the texture's size.",
    repaired_in="addresses", edits=("added",), confirmed_by=frozenset({"index_map"}),
)  # fmt: skip
INDEX_MAP = Cause(
    "index_map", "reading", "Elements are read at other places, by an index formula that no other cause names.",
    "a pass reads other elements, pairs wrong factors, or counts products twice.",
    remedy="Compute the index as the layer does: the map shows which coordinates differ.",
    repaired_in="addresses",
    denied_by_edits=frozenset({"bytes", "count", "epsilon", "function", "half", "number", "tensor"}),
    denied_by_reads=LESS_READ | MORE_READ | {"a bias twice"},
)  # fmt: skip
KERNEL_FLIP = Cause(
    "kernel_flip", "reading",
    "The kernel is rotated by 180 degrees: true convolution instead of correlation, or the other way round.",
    "the wrong values are those of the layer with its kernels rotated.",
    remedy="Read kernel tap (p, q) for window position (p, q), not mirrored.",
    repaired_in="addresses", words=("-",), confirmed_by=USUALLY_CONFIRMING | {"index_map"}, denied_by_reads=OTHER_TERMS,
)  # fmt: skip
KERNEL_TRANSPOSE = Cause(
    "kernel_transpose", "reading", "Rows and columns of the kernel are swapped.",
    "the wrong values are those of the layer with rows and columns of its kernels swapped.",
    remedy="Read row p, column q of the kernel for row p, column q of the window.",
    confirmed_by=USUALLY_CONFIRMING | {"index_map"}, denied_by_reads=OTHER_TERMS,
)  # fmt: skip
LINEAR_FILTERING = Cause(
    "linear_filtering", "reading", "A linear filter mixes neighbouring texels where single values are needed.",
    "with nearest filtering the result becomes right.",
    remedy="Set the sampler's filter to nearest.",
    may_be_the_plan=True,
)  # fmt: skip
MISSING_CHANNELS = Cause(
    "missing_channels", "reading",
    "Some input channels (or terms of a product) are not read: a loop that ends too early.",
    "channels, taps, or all but the last where it should add.",
    remedy="Loop over the whole axis.",
    edits=("put in",), leaves_out=True, confirmed_by=frozenset({"dropped_lane", "missing_channels", "missing_taps"}),
    denied_by_reads=OTHER_PLACES | BEYOND | MORE_READ | {"a bias twice"},
)  # fmt: skip
MISSING_TAPS = Cause(
    "missing_taps", "reading", "Some taps of the window are not read: loops that end a row or column early.",
    "channels, taps, or all but the last where it should add.",
    remedy="Loop over the whole kernel.",
    edits=("put in",), leaves_out=True, confirmed_by=frozenset({"dropped_lane", "missing_channels", "missing_taps"}),
    denied_by_reads=ANOTHER | BEYOND | MORE_READ | {"a bias twice"},
)  # fmt: skip
PADDING_MODE = Cause(
    "padding_mode", "reading",
    "Beyond the picture's border another value is read: the edge's, the opposite side's, the mirrored one, zero.",
    "padding of another kind, or whatever lies beyond a tile in the texture.",
    edits=("put in", "statement",),
    confirmed_by=frozenset({"double_counted", "extra_channels", "padding_mode", "tile_bleed"}),
    denied_by_reads=frozenset({"alike"}),
)  # fmt: skip
SHIFT = Cause(
    "shift", "reading", "All reads (or writes) are some texels off.",
    "the wrong values are those of the layer with every place moved by the same step.",
    remedy="Check the padding and the offsets added to x and y against the index map.",
    repaired_in="addresses", edits=("added",), denied_by_edits=frozenset({"function", "partner", "tensor"}),
    denied_by_reads=OTHER_TERMS | {"alike"},
)  # fmt: skip
STRIDE = Cause(
    "stride", "reading", "The window moves by another number of texels.",
    "the wrong values are those of the layer whose window moves by other steps.",
    remedy="Multiply the output position by the layer's stride.",
    repaired_in="addresses", confirmed_by=frozenset({"index_map"}), denied_by_edits=frozenset({"function"}),
    denied_by_reads=OTHER_TERMS | {"alike"},
)  # fmt: skip
TEXEL_EDGE = Cause(
    "texel_edge", "reading", "Samples lie on the border between two texels, where rounding decides which one is read.",
    "with coordinates moved by a quarter texel to either side the result becomes right.",
    remedy="Sample texel centres: (index + 0.5) / size.",
    confirmed_by=frozenset({"index_map"}),
)  # fmt: skip
TILE_BLEED = Cause(
    "tile_bleed", "reading",
    "Reads leave their tile and hit the neighbouring one, or whatever else the texture holds there.",
    "padding of another kind, or whatever lies beyond a tile in the texture.",
    remedy="Test the position against the tile before reading: outside it use the padding's value.",
    edits=("put in", "statement",),
    confirmed_by=frozenset({"double_counted", "extra_channels", "padding_mode", "tile_bleed"}),
    denied_by_reads=frozenset({"alike"}),
)  # fmt: skip
TRANSPOSE_XY = Cause(
    "transpose_xy", "reading", "Rows and columns are swapped.",
    "the wrong values are those of the layer with rows and columns of a picture swapped.",
    remedy="Swap x and y: texture coordinates take the column first.",
    confirmed_by=frozenset({"index_map"}), denied_by_edits=frozenset({"fewer turns", "more turns"}),
    denied_by_reads=OTHER_TERMS | BEYOND,
)  # fmt: skip
WRONG_INPUT = Cause(
    "wrong_input", "reading",
    "Another tensor is read: a sampler bound to the wrong texture, one input read twice, two swapped.",
    "the wrong values are those of the layer with another tensor in place of one of its inputs.",
    remedy="Bind each sampler to its own tensor, and read each tensor from its own sampler.",
    may_be_the_plan=True, confirmed_by=frozenset({"wrong_partner"}),
    denied_by_edits=frozenset(
        {"across", "applied", "before", "bytes", "count", "element", "epsilon", "factor", "fewer turns", "filter",
        "function", "half", "half texel", "lanes", "layout", "more turns", "number", "order", "partner", "set", "size",
        "taken away", "wrap"}
    ),
    denied_by_reads=LESS_READ | MORE_READ | {"a bias twice"},
)  # fmt: skip
WRONG_PARTNER = Cause(
    "wrong_partner", "reading",
    "Products multiply elements of two tensors, or of two parts of one, that do not belong together.",
    "a pass reads other elements, pairs wrong factors, or counts products twice.",
    remedy="Read both factors of a product at the same head, row and channel, each from its own part.",
    repaired_in="addresses", confirmed_by=frozenset({"index_map"}),
    denied_by_edits=frozenset({"filter", "layout", "number", "order", "size", "wrap"}),
)  # fmt: skip

# -- the computation --------------------------------------------------------------------------------------------------

ACCUMULATOR_NOT_RESET = Cause(
    "accumulator_not_reset", "computing",
    "A sum continues from the previous lane or element instead of starting at zero.",
    "the wrong values are running sums over the lanes of a texel, or over a loop.",
    remedy="Reset the accumulator inside the function or loop that computes one element.",
    confirmed_by=USUALLY_CONFIRMING,
)  # fmt: skip
ACTIVATION_BEFORE_BIAS = Cause(
    "activation_before_bias", "computing", "The bias is added after the activation instead of before it.",
    "missing, doubled, of another channel, or added after the activation.",
    repaired_in="values", is_of_sums=True, denied_by_reads=OTHER_PLACES,
)  # fmt: skip
ACTIVATION_EXTRA = Cause(
    "activation_extra", "computing",
    "An activation is applied that the model does not have: to the result, before another one, or to an input.",
    "the wrong values passed one more curve, or did not pass one.",
    repaired_in="values", bends_values=True,
    denied_by_edits=frozenset({"applied", "before", "fewer turns", "more turns", "partner", "set"}),
    denied_by_reads=OTHER_PLACES | LESS_READ,
)  # fmt: skip
ACTIVATION_MISSING = Cause(
    "activation_missing", "computing", "An activation, or another function of one value, is not applied.",
    "the wrong values passed one more curve, or did not pass one.",
    repaired_in="values", edits=("put in",), leaves_out=True, confirmed_by=USUALLY_CONFIRMING,
    denied_by_edits=frozenset({"before", "taken away"}),
    denied_by_reads=OTHER_PLACES | BEYOND | MORE_READ | {"a bias twice"},
)  # fmt: skip
AFFINE = Cause(
    "affine", "computing", "Values are multiplied by a constant and another one is added, such as 2 x - 1.",
    "one factor, or a summand as well.",
    remedy="Remove the factor and the addend, or use the model's.",
    repaired_in="values", edits=("put in",), denied_by_edits=_NO_STRAIGHT_LINE | {"count", "number"},
    denied_by_reads=OTHER_PLACES,
)  # fmt: skip
ALPHA = Cause(
    "alpha", "computing",
    "An activation's constant differs: a leaky one's slope, an exponential one's alpha, a bound of a clip.",
    "the wrong values are those of the activation with another constant, a common slip or fitted to the errors.",
    remedy="Use the model's constant.",
    repaired_in="values", confirmed_by=frozenset({"wrong_literal"}),
    denied_by_edits=frozenset({"across", "count", "element", "epsilon", "partner"}), denied_by_reads=OTHER_PLACES,
)  # fmt: skip
AVERAGE_COUNT = Cause(
    "average_count", "computing",
    "A mean divides by another number than the model's: with or without the padding, or by a wrong count.",
    "the wrong values are the sums divided by another count.",
    edits=("put in",), words=("count",), confirmed_by=USUALLY_CONFIRMING | {"wrong_literal"},
    denied_by_reads=OTHER_PLACES,
)  # fmt: skip
BIAS_DOUBLED = Cause(
    "bias_doubled", "computing", "The bias is added more than once: at every step of a loop, or before and after it.",
    "missing, doubled, of another channel, or added after the activation.",
    remedy="Add the bias once, outside the loops.",
    repaired_in="values", is_of_sums=True, confirmed_by=frozenset({"double_counted"}),
    denied_by_edits=frozenset({"set"}), denied_by_reads=frozenset({"no bias"}),
)  # fmt: skip
BIAS_MISSING = Cause(
    "bias_missing", "computing", "The bias, or another tensor that belongs to the sum, is not added.",
    "missing, doubled, of another channel, or added after the activation.",
    remedy="Add the bias of the output channel to the sum.",
    repaired_in="values", edits=("put in",), words=("bias",), leaves_out=True, is_of_sums=True,
    confirmed_by=USUALLY_CONFIRMING | {"dropped_lane", "missing_channels", "missing_taps"},
    denied_by_edits=frozenset({"epsilon"}), denied_by_reads=ANOTHER | BEYOND | MORE_READ | {"a bias twice"},
)  # fmt: skip
BIAS_OFFSET = Cause(
    "bias_offset", "computing", "Another channel's bias is added.",
    "missing, doubled, of another channel, or added after the activation.",
    remedy="Index the biases by output channel.",
    repaired_in="addresses", edits=("added",), is_of_sums=True, confirmed_by=frozenset({"index_map", "wrong_partner"}),
    denied_by_reads=LESS_READ | MORE_READ | {"a bias twice"},
)  # fmt: skip
EPSILON = Cause(
    "epsilon", "computing", "The constant that keeps a division from zero differs, or is added outside the root.",
    "the wrong values are those of the normalisation with another epsilon, or one outside the root.",
    repaired_in="values", confirmed_by=USUALLY_CONFIRMING | {"wrong_literal"},
    denied_by_edits=frozenset({"across", "element", "fewer turns", "lanes", "left out", "more turns", "partner"}),
    denied_by_reads=OTHER_PLACES,
)  # fmt: skip
SCALE = Cause(
    "scale", "computing", "Values are multiplied by a constant factor.",
    "one factor, or a summand as well.",
    remedy="Remove the factor, or use the model's.",
    repaired_in="values", edits=("put in",), confirmed_by=frozenset({"wrong_literal"}),
    denied_by_edits=_NO_STRAIGHT_LINE, denied_by_reads=OTHER_PLACES,
)  # fmt: skip
UNSET_UNIFORM = Cause(
    "unset_uniform", "computing", "A uniform that the shader uses is not set, and so is 0.",
    "with the uniform set to a likely or a solved value the result becomes right.",
    may_be_the_plan=True, is_set_in_the_file=True,
)  # fmt: skip
WRONG_FUNCTION = Cause(
    "wrong_function", "computing",
    "A function of one value or of two differs from the model's: everywhere or in a part.",
    "the wrong values are those of the layer with another function in place of one of its functions.",
    repaired_in="values", denied_by_edits=frozenset({"count", "factor", "tensor"}),
)  # fmt: skip
WRONG_LITERAL = Cause(
    "wrong_literal", "computing", "A weight is written in the shader as another number than the model has.",
    "the shader's text, read as a network, has another number there, and with it the model gives the wrong values.",
    remedy="Write the model's number there.",
    denied_by_edits=frozenset(
        {"across", "element", "fewer turns", "filter", "layout", "more turns", "order", "size", "wrap"}
    ),
    denied_by_reads=OTHER_PLACES | BEYOND | MORE_READ | {"left out", "other channels left out", "unread"},
)  # fmt: skip

# -- the storage ------------------------------------------------------------------------------------------------------

BLEND_ENABLED = Cause(
    "blend_enabled", "storing", "New values are mixed with what the target held, because blending was left on.",
    "with blending off the result becomes right.",
    remedy="Disable GL_BLEND before drawing the pass: user interfaces often leave it on.",
    may_be_the_plan=True,
)  # fmt: skip
CLAMPED_0_1 = Cause(
    "clamped_0_1", "storing", "Values are clamped to 0 … 1, as in fixed-point targets and pictures.",
    "the wrong values are the right ones clamped to 0 … 1.",
    remedy="Render to a float texture, read it back as float, and do not clamp.",
    repaired_in="values", bends_values=True, denied_by_edits=frozenset({"before"}), denied_by_reads=OTHER_PLACES,
)  # fmt: skip
CLAMPED_NONNEGATIVE = Cause(
    "clamped_nonnegative", "storing", "Negative values are lost, as in an unsigned target.",
    "the wrong values are the right ones with the negative ones set to 0.",
    remedy="Render to a signed target (a float format) and do not clamp at 0.",
    repaired_in="values", bends_values=True, denied_by_edits=frozenset({"applied"}), denied_by_reads=OTHER_PLACES,
)  # fmt: skip
DROPPED_LANE = Cause(
    "dropped_lane", "storing",
    "One component of every texel is not written, or not read: `.xyz` where four lanes were meant.",
    "one lane of every texel is unwritten or constant, or is missing from the inputs.",
    remedy="Write and read all four components, and do not mask any of them (glColorMask).",
    edits=("put in",), leaves_out=True, confirmed_by=frozenset({"dropped_lane", "missing_channels", "missing_taps"}),
)  # fmt: skip
FEEDBACK_LOOP = Cause(
    "feedback_loop", "storing", "The pass samples the texture that it draws into.",
    "a sampler's unit holds the target, whose old content changes the result of a draw elsewhere.",
    remedy="Draw into a texture that no sampler of the pass reads.",
    may_be_the_plan=True,
)  # fmt: skip
HALF_OVERFLOW = Cause(
    "half_overflow", "storing", "Half precision makes values beyond 65504 infinite.",
    "the wrong values are the right ones in half precision, infinities among them.",
)  # fmt: skip
HALF_PRECISION = Cause(
    "half_precision", "storing",
    "Values are rounded to half precision, when they are stored or when they are read (a `lowp` sampler).",
    "to half precision, or errors that are small beside the values, with no other cause.",
    remedy="Declare `precision highp sampler2D;`, and keep the input in float32.",
    is_rounding=True, confirmed_by=USUALLY_CONFIRMING,
)  # fmt: skip
MISSING_BARRIER = Cause(
    "missing_barrier", "storing",
    "Invocations read shared memory before others have written it, or write it while others still read.",
    "with a barrier after writes to shared memory the result becomes right.",
)  # fmt: skip
PACK_PADDING = Cause(
    "pack_padding", "storing",
    "Batches, channels or rows follow each other without padding where the texture pads them, or the other way round.",
    "the wrong values are those of a tensor that is padded to packs of lanes where its texture is not.",
    repaired_in="addresses",
    confirmed_by=frozenset({"extra_channels", "index_map", "missing_channels", "missing_taps", "wrong_layout"}),
    denied_by_edits=frozenset({"function", "tensor"}),
)  # fmt: skip
QUANTIZED_8BIT = Cause(
    "quantized_8bit", "storing", "Values are rounded to the steps of a byte.",
    "the wrong values are the right ones in steps of a byte.",
    remedy="Store the tensor in a float format.",
    confirmed_by=USUALLY_CONFIRMING,
)  # fmt: skip
SRGB_ENCODED = Cause(
    "srgb_encoded", "storing", "Values are passed through the sRGB curve, in a target, a sampler or the shader.",
    "the wrong values are the right ones through the sRGB curve.",
    remedy="Use formats without sRGB and disable GL_FRAMEBUFFER_SRGB; tensors are not colours.",
)  # fmt: skip
STALE_TENSOR = Cause(
    "stale_tensor", "storing",
    "The result belongs to an earlier run: the pass was not drawn, or it read a texture before it was filled.",
    "a run writes nothing, or another run on the same inputs becomes right.",
    remedy="Draw the pass whenever its inputs change.",
    may_be_the_plan=True,
)  # fmt: skip
UNWRITTEN_TEXELS = Cause(
    "unwritten_texels", "storing", "A run does not write some texels, which keep their old values.",
    "texels still hold a mark that was written before a run.",
    may_be_the_plan=True, denied_by_edits=frozenset({"bytes", "half"}),
)  # fmt: skip
VIEWPORT_MISMATCH = Cause(
    "viewport_mismatch", "storing",
    "The viewport is not the target's size: coordinates are stretched and texels left out.",
    "with the viewport set to the whole target the result becomes right.",
    remedy="Set the viewport to the target's size before every pass.",
    may_be_the_plan=True,
)  # fmt: skip
WRITE_RACE = Cause(
    "write_race", "storing", "Several invocations write one place, and the last one wins.",
    "two invocations were observed to write one place.",
    remedy="Let one invocation write each place: check the index and its bounds, or add with atomics.",
)  # fmt: skip
WRONG_LAYOUT = Cause(
    "wrong_layout", "storing",
    "A texture is written or read by another layout than it has: it matches when decoded with that layout.",
    "the wrong values are the right ones read from, or written to, a texture of another layout.",
    repaired_in="addresses", confirmed_by=frozenset({"index_map"}), denied_by_edits=frozenset({"element", "number"}),
)  # fmt: skip

# -- numbers alone ----------------------------------------------------------------------------------------------------

INF_SOURCE = Cause(
    "inf_source", "numbers",
    "The pass makes infinities from finite inputs: an exponential out of range, a division by zero.",
    "the result has infinities where the model has numbers.",
    remedy="Keep exponents below 88 and divisors away from 0.",
    is_seen=True, confirmed_by=USUALLY_CONFIRMING,
)  # fmt: skip
LOOP_CUT_OFF = Cause(
    "loop_cut_off", "numbers",
    "A loop turns until the driver cuts it off: it never ends, or takes more turns than the driver allows.",
    "neither the loop's condition nor a jump ended it.",
    remedy="Let the loop end: look at what its condition compares and at what changes that from turn to turn.",
)  # fmt: skip
NAN_SOURCE = Cause(
    "nan_source", "numbers",
    "The pass makes NaN from finite inputs: 0 / 0, inf - inf, the root or logarithm of a negative number.",
    "the result has NaN where the model has numbers.",
    remedy="Subtract the largest before exp, keep roots and logarithms above 0, add epsilon to divisors.",
    is_seen=True, confirmed_by=USUALLY_CONFIRMING,
)  # fmt: skip
NONDETERMINISTIC = Cause(
    "nondeterministic", "numbers", "Two runs on the same inputs give different results.",
    "runs on the same inputs differ.",
    remedy="Look for a clock or a frame counter among the uniforms, for alternating buffers, and in a compute shader "
           "for a missing barrier().",
)  # fmt: skip
PRECISION = Cause(
    "precision", "numbers",
    "Errors of the size of rounding, without a pattern: a sum that cancels, an approximation, low precision.",
    "to half precision, or errors that are small beside the values, with no other cause.",
    remedy="Sum in another order, start sums at zero, use the built-in functions, or accept it with a tolerance.",
    is_rounding=True, denied_by_edits=frozenset({"bytes", "half"}),
)  # fmt: skip

# All of them, by name.
CAUSES: Mapping[str, Cause] = MappingProxyType(
    {each.name: each for each in tuple(globals().values()) if isinstance(each, Cause)}
)
