"""Differentiates arithmetic of tensors, each broadcast, powers, and operators that select one of several tensors."""

from __future__ import annotations

import math

from texelscope.pipeline.gradients.derivatives.backward import Backward, Formula, TensorTerm, of_one_input


def add(node: Backward) -> None:
    """Computes dxᵢ = dy."""
    for position in range(len(node.inputs)):
        node.give(position, node.dy())


def sub(node: Backward) -> None:
    """Computes da = dy, db = −dy."""
    node.give(0, node.dy())
    if node.wants(1):
        node.give(1, node.add("Neg", node.dy()))


def mul(node: Backward) -> None:
    """Computes da = dy · b, db = dy · a."""
    for position, other in ((0, 1), (1, 0)):
        if node.wants(position):
            node.give(position, node.add("Mul", node.dy(), node.met(other), label=f"by_{other}"))


def div(node: Backward) -> None:
    """Computes da = dy / b, db = −dy · y / b."""
    share = node.add("Div", node.dy(), node.met(1), label="share")
    node.give(0, share)
    if node.wants(1):
        node.give(1, node.add("Neg", node.add("Mul", share, node.y(), label="of_quotient")))


def mod(node: Backward) -> None:
    """Differentiates y = a − q · b with a whole q: da = dy, db = −dy · q."""
    f = Formula(node)
    f.give(0, f.dy)
    if node.wants(1):
        times = ((f.x - f.y) / f.input(1)).of("Round")
        f.give(1, -(f.dy * times))


def mean(node: Backward) -> None:
    """Computes dxᵢ = dy / n."""
    f = Formula(node)
    share = f.dy / float(len(node.inputs))
    for position in range(len(node.inputs)):
        f.give(position, share)


def power(node: Backward) -> None:
    """Computes da = dy · b · a^(b−1), and 0 where b is 0; db = dy · y · ln a, and 0 where a is not positive."""
    f = Formula(node)
    if node.wants(0):
        _to_base(f)
    if node.wants(1):
        base = f.x
        logarithm = (base > 0.0).where(base, 1.0).of("Log")
        f.give(1, _like(f.dy * f.y * logarithm, 1))


def _to_base(f: Formula) -> None:
    known = f.node.given(1).value
    # An exponent whose gradient is wanted may be another number in the next run.
    if known is None or known.size != 1 or f.node.wants(1):
        exponent = _like(f.input(1), 0)
        # For a base 0 to the power 0 the lower power would be infinite.
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
    """Casts to the element type of an input; returns it unchanged where both have the same."""
    node = term.node
    is_same = node.given(0).dtype == node.given(1).dtype
    return term if is_same else term.of("CastLike", TensorTerm(node, node.x(position)))


def where(node: Backward) -> None:
    """Passes dy to the selected tensor."""
    f = Formula(node)
    if node.wants(1):
        f.give(1, f.x.where(f.dy, 0.0))
    if node.wants(2):
        f.give(2, f.x.where(0.0, f.dy))


def extreme(node: Backward) -> None:
    """Passes dy to the tensor that y equals, in equal shares to all that do."""
    f = Formula(node)
    if len(node.inputs) == 1:
        f.give(0, f.dy)
        return
    taken = [f.input(position).equals(f.y) for position in range(len(node.inputs))]
    ones = [each.of("CastLike", f.y).name for each in taken]
    share = f.dy / TensorTerm(node, node.add("Sum", *ones, label="count"))
    for position, is_taken in enumerate(taken):
        if node.wants(position):
            f.give(position, is_taken.where(share, 0.0))


def dequantize(node: Backward) -> None:
    """Differentiates y = s · (x − zero point): ds sums dy · (x − zero point) per scale: of all, a slice, or a block."""
    if not node.wants(1):
        return
    shape, scales = node.shape(0), node.shape(1)
    said = {name: int(value) for name, value in node.some("axis", "block_size").items() if value is not None}
    ones = node.filled(1.0, scales, label="ones")
    zero_point = (node.x(2),) if node.has(2) else ()
    whole = node.add("DequantizeLinear", node.x(0), ones, *zero_point, label="less_zero_point", **said)
    product = node.add("Mul", node.dy(), whole, label="product")
    if math.prod(scales) == 1:
        summed = node.reduced("ReduceSum", product, range(len(shape)), label="over_all")
        node.result(1, node.to_shape(summed, scales, label="ds"))
        return
    axis = node.axis(default=1)
    block = said.get("block_size", 0)
    if len(scales) == len(shape) and block:
        node.result(1, _of_blocks(node, product, axis, block))
        return
    others = [each for each in range(len(shape)) if each != axis]
    node.result(1, node.reduced("ReduceSum", product, others, keep=False, label="ds"))


def _of_blocks(node: Backward, product: str, axis: int, block: int) -> str:
    """Returns sums over each block along an axis, the last one filled up with zeros."""
    shape, count = node.shape(0), node.shape(1)[axis]
    missing = count * block - shape[axis]
    if missing:
        pads = [0] * (2 * len(shape))
        pads[len(shape) + axis] = missing
        product = node.add("Pad", product, node.whole(*pads, label="pads"), label="whole_blocks")
    rows = (math.prod(shape[:axis]) * count, block, math.prod(shape[axis + 1 :]))
    summed = node.reduced("ReduceSum", node.to_shape(product, rows, label="blocks"), (1,), label="over_block")
    return node.to_shape(summed, node.shape(1), label="ds")


DERIVATIVES = {
    "Add": add,
    "Sum": add,
    "Sub": sub,
    "Mul": mul,
    "Div": div,
    "Mod": mod,
    "Mean": mean,
    "Pow": power,
    "Where": where,
    "Max": extreme,
    "Min": extreme,
    "DequantizeLinear": dequantize,
    **of_one_input(
        {
            "Neg": lambda f: -f.dy,
            "Reciprocal": lambda f: -(f.dy * f.y * f.y),
            "Sqrt": lambda f: 0.5 * (f.dy / f.y),
        }
    ),
}
FLAT = (
    "And", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Ceil", "Equal", "Floor", "Greater",
    "GreaterOrEqual", "IsInf", "IsNaN", "Less", "LessOrEqual", "Not", "Or", "Round", "Sign", "Xor",
)  # fmt: skip
