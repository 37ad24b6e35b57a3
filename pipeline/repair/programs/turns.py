"""How many turns the loops of a program of edits take: an edit may leave one without an end."""

from __future__ import annotations

import tree_sitter

from texelscope.pipeline.glsl.syntax import Edits

# The uniform with how many turns of all its loops an invocation takes.
TURNS = "u_texelscope_turns"
HEAD_OF_TURNS = (f"uniform highp int {TURNS};", "highp int texelscope_turns = 0, texelscope_rounds = 0;")
_TURN = f"++texelscope_turns < {TURNS}"
# Loops around barriers are counted apart: all invocations take as many turns of these.
_ROUND = f"++texelscope_rounds < {TURNS}"


def count(loop: tree_sitter.Node, shift: int, made: Edits, *, is_round: bool) -> None:
    """Holds a loop to these, which lies so many bytes farther on than its node; `is_round`: it has barriers."""
    condition = loop.child_by_field_name("condition")
    if condition is not None:
        start, stop, is_for = condition.start_byte + shift, condition.end_byte + shift, loop.type == "for_statement"
        made.insert(start, "(" * (not is_for) + f"({_ROUND if is_round else _TURN}) && (", (-1,))
        made.insert(stop, ")" + ")" * (not is_for), (1,))
