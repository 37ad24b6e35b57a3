"""Bugs that the diagnosis does not name yet: known limits, by the name of the planted bug.

They show as wrong values like all others. The bars for what the first findings name do not count them; one that comes
to be named leaves the list.
"""

from __future__ import annotations

NOT_YET_NAMED: tuple[str, ...] = (
    "pads of a depthwise convolution taken in the order left, top",  # the line
    "rows and columns of an upscaling block exchanged",
    "a transposed convolution whose groups all read the first",
    "a border test that lets the column past the last through",  # the line
    "a window of four whose last lane is not looked at",
    "biases counted anew in every group",
    "epsilon outside of the root",
    "an exponential unit with the default alpha",  # the line
    "a variance divided by one less",
    "a layer normalisation without its beta",
    "the last row of a picture left out of its mean",
    "an enlargement whose sampler repeats the picture",
    "an enlargement from the corners of pixels",
    "a dense layer divided by the root of its width",  # the line
    "statistics of the first group for both",
    "scale and shift of a normalisation exchanged",
    "a gate after a matrix product that has none",
    "texels that come to zero thrown away",
    "rows of the result as wide as those of another shape",  # the line
    "a group's variance as the difference of two large numbers",
)

# Bugs without a cause that are given one.
NAMED_WRONG: tuple[str, ...] = ("a depthwise kernel turned by a quarter",)
