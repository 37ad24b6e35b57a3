"""Limits how much the mutation operators try."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OperatorLimits:
    """How much operators try; `characters` are of an expression's text. More mutants find more, and compile longer."""

    # An expression that stays as it is and gets something beside it. Longer ones are tables.
    wrapped_characters: int = 400
    # One that changes a little, one that is written anew, and an index: people write these shorter.
    changed_characters: int = 300
    rewritten_characters: int = 200
    index_characters: int = 120
    # A statement that is copied or moved as a whole, and one at a border.
    statement_characters: int = 1200
    border_characters: int = 600

    # The nearest so many names in scope: for an operator that tries each once; with another name or number beside it;
    # in two orders or for two variables at a time.
    names: int = 6
    paired_names: int = 4
    # Sizes that a name stands for: all that a shader has where only they fit, and the nearest of them.
    sizes: int = 7
    near_sizes: int = 3
    nearest_sizes: int = 2
    # The nearest so many sizes of a quotient, and of an addend: a layout has a size an axis.
    axis_sizes: int = 4
    # Names that stand for one that is used in several places, and variables beside it.
    repeated_names: int = 8
    divisors: int = 5
    # Variables of a function to which a summand may be moved.
    summand_names: int = 2

    # Reads that are copied to one place, and reads of a sampler that nothing uses.
    reads: int = 6
    unused_reads: int = 24
    # Reads of one function that are compared, and copies to one place.
    compared_reads: int = 16
    copies: int = 4
    # Assignments of a text that are looked at for sums: a long unrolled shader has no sums in loops.
    looked_at_sums: int = 200
    # Places that are changed at once.
    places: int = 12

    # The depth of an operand that replaces the whole, and of loops that count the iterations behind a sum.
    hoisted_depth: int = 3
    loop_depth: int = 3
    # Numbers and variables of an expression, all pairs of which are exchanged, and summands that are put in order.
    leaves: int = 10
    summands: int = 5
    # Values that are written out and combined: two are exchanged by other operators.
    fewest_combined: int = 3
    most_combined: int = 16

    # Statements that differ in numbers, arguments or lanes alone: so many are a family, and miss so many at most.
    fewest_members: int = 3
    most_members: int = 64
    missing_members: int = 2
    # Sums of a function that lack something, and the statements that a decomposition has between its parts.
    sums: int = 3
    statements_between: int = 3
    # Lines between two values that were exchanged, and between two expressions of different axes.
    exchanged_lines: int = 2
    axes_lines: int = 12

    # Strides that are tried for an index; none exceeds the side of the largest texture.
    steps: int = 12
    largest_step: int = 1 << 16
    largest_divisor: int = 1 << 12
    # Taps of a window along an axis.
    taps: int = 16
    # Rows of the model's constants that are tried in one place, the most alike ones, to the precision people write.
    rows: int = 8
    row_precision: float = 2e-3


LIMITS = OperatorLimits()
