"""Limits the iterations of a mutant schema's loops: a mutation may make one endless."""

from __future__ import annotations

from texelscope.pipeline.glsl.semantics.questions import condition_of
from texelscope.pipeline.glsl.semantics.statements import ForLoop
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.source_text import Edits

# The uniform that limits the iterations of all loops of an invocation.
TURNS = "u_texelscope_turns"
HEAD_OF_TURNS = (f"uniform highp int {TURNS};", "highp int texelscope_turns = 0, texelscope_rounds = 0;")
_TURN = f"++texelscope_turns < {TURNS}"
# Loops with barriers are counted separately: all invocations run them equally often.
_ROUND = f"++texelscope_rounds < {TURNS}"


def count(loop: SyntaxNode, shift: int, made: Edits, *, is_round: bool) -> None:
    """Adds the limit to a loop, whose node lies `shift` bytes before its text; `is_round`: it has barriers."""
    condition = condition_of(loop)
    if condition is not None:
        start, stop, is_for = condition.start_byte + shift, condition.end_byte + shift, isinstance(loop, ForLoop)
        made.insert(start, "(" * (not is_for) + f"({_ROUND if is_round else _TURN}) && (", (-1,))
        made.insert(stop, ")" + ")" * (not is_for), (1,))
