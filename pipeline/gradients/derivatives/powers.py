"""Powers: Pow, Sqrt, Reciprocal."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.formulas import Formula, TensorTerm, of_one_input


def power(node: Backward) -> None:
    """da = dy · b · a^(b−1), and 0 where b is 0; db = dy · y · ln a, and 0 where a is not positive."""
    f = Formula(node)
    if node.wants(0):
        _to_base(f)
    if node.wants(1):
        base = f.x
        logarithm = (base > 0.0).where(base, 1.0).of("Log")
        f.give(1, _like(f.dy * f.y * logarithm, 1))


def _to_base(f: Formula) -> None:
    known = f.node.given(1).value
    # One that is asked for a gradient may be another number in the next run.
    if known is None or known.size != 1 or f.node.wants(1):
        exponent = _like(f.input(1), 0)
        # Of a base 0 to the power 0 the lower power would be infinite.
        lower = exponent.equals(0.0).where(0.0, exponent - 1.0)
        f.give(0, f.dy * exponent * f.x.of("Pow", lower))
        return
    number = float(known.item())
    if number == 1.0:
        f.give(0, f.dy)
    elif number == 2.0:
        f.give(0, 2.0 * (f.dy * f.x))
    elif number != 0.0:
        f.give(0, number * (f.dy * f.x.of("Pow", number - 1.0)))


def _like(term: TensorTerm, position: int) -> TensorTerm:
    """In the element type of an input; itself where both have the same."""
    node = term.node
    is_same = node.given(0).dtype == node.given(1).dtype
    return term if is_same else term.of("CastLike", TensorTerm(node, node.x(position)))


DERIVATIVES = {
    "Pow": power,
    **of_one_input(
        {
            "Reciprocal": lambda f: -(f.dy * f.y * f.y),
            "Sqrt": lambda f: 0.5 * (f.dy / f.y),
        }
    ),
}
FLAT = ()
