"""RNN, GRU and LSTM, step by step: each step of each direction is passes of its own, so that every state can be seen.

Source of the formulas: the ONNX specifications of the three operators. The share of the input in all gates is one
matrix product over the whole sequence; a step adds the share of the state before it.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Node, Shape, TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Composite, Rewrite
from texelscope.pipeline.operators.rewriting import Passes

# Steps of all directions together; each is a dozen passes.
MOST_STEPS = 256
# Activation → the attributes of the operator of that name, as the specification has them by default.
_ACTIVATIONS: dict[str, dict[str, float]] = {
    "Sigmoid": {}, "Tanh": {}, "Relu": {}, "Softsign": {}, "Softplus": {}, "LeakyRelu": {"alpha": 0.01},
    "ThresholdedRelu": {"alpha": 1.0}, "HardSigmoid": {"alpha": 0.2, "beta": 0.5}, "Elu": {"alpha": 1.0},
}  # fmt: skip


class Steps(Passes):
    """The passes of one direction: `d` is its number, `h` the hidden size, `b` the batch, `n` the steps."""

    def __init__(self, call: Call, passes: Passes, d: int, activations: tuple[str, ...]) -> None:
        super().__init__(passes.name, passes.nodes, passes.tensors, passes.constants)
        self.call, self.d, self.activations = call, d, activations
        batchwise = bool(call.attribute("layout", 0))
        self.n, self.b = (call.shape(0)[1], call.shape(0)[0]) if batchwise else call.shape(0)[:2]
        self.h = int(call.attribute("hidden_size") or call.shape(2)[-1])
        self.clip = float(call.attribute("clip") or 0.0)
        self.prefix = f"{passes.name}/{'backward' if self.backward else 'forward'}"

    @property
    def backward(self) -> bool:
        """Whether the sequence is walked from its end."""
        return self.call.attribute("direction", "forward") == "reverse" or self.d == 1

    def make(self, op_type: str, inputs: tuple[str, ...], name: str, shape: Shape, **attributes: Any) -> str:
        """One more node, unless another step has made it; returns its output's name."""
        made = f"{self.prefix}/{name}"
        if any(info.name == made for info in self.tensors):
            return made
        return self.add_onnx(op_type, inputs, TensorInfo(made, shape), **attributes)

    def state(self, op_type: str, inputs: tuple[str, ...], name: str, **attributes: Any) -> str:
        """One more node that makes a state [b, h]."""
        return self.make(op_type, inputs, name, (self.b, self.h), **attributes)

    def cut(self, name: str, source: str, shape: Shape, axis: int, start: int, size: int) -> str:
        """`size` elements of an axis of `source`, from `start` on."""
        numbers = {"from": start, "to": start + size, "axis": axis}
        places = [self.constant(f"{key}{value}", np.array([value], dtype=np.int64)) for key, value in numbers.items()]
        return self.make("Slice", (source, *places), name, tuple(size if i == axis else s for i, s in enumerate(shape)))

    def shaped(self, name: str, source: str, shape: Shape) -> str:
        """The same elements in another shape."""
        target = self.constant(f"{'x'.join(map(str, shape))}", np.array(shape, dtype=np.int64))
        return self.make("Reshape", (source, target), name, shape, allowzero=0)

    def own(self, position: int, name: str, shape: Shape) -> str:
        """This direction's part, of that shape, of an input that has an axis of directions in front."""
        value = self.call.constant(position)
        if value is not None:
            return self.constant(f"{name}{self.d}", value[self.d].reshape(shape))
        info = self.call.info(position)
        whole = info.shape[0] == 1
        part = info.name if whole else self.cut(f"{name} cut", info.name, info.shape, 0, self.d, 1)
        return self.shaped(name, part, shape)

    def rows(self, name: str, source: str, first: int, count: int, columns: int) -> str:
        """Rows of a matrix, by number of gates."""
        value = self.constants.get(source)
        if value is not None:
            return self.constant(f"{name}{self.d}", value[first * self.h : (first + count) * self.h])
        shape = (self.rows_of(source), columns)
        return self.cut(name, source, shape, 0, first * self.h, count * self.h)

    def rows_of(self, name: str) -> int:
        """Number of rows of a tensor made before."""
        return next(info.shape[0] for info in self.tensors if info.name == name)

    def half_bias(self, half: int) -> str:
        """The input's bias (0) or the state's (1) [gates · h], which only the run knows."""
        width = self.call.shape(3)[-1] // 2
        both = self.own(3, "B", (2 * width,))
        return self.cut(f"{'WR'[half]} bias", both, (2 * width,), 0, half * width, width)

    def first_state(self, position: int, name: str) -> str:
        """The state that the sequence begins with: zeros if the node does not give one."""
        if not self.call.has(position):
            return self.constant(f"{name} zero", np.zeros((self.b, self.h), dtype=np.float32))
        if self.call.attribute("layout", 0):
            raise UnsupportedError(
                self.call.who,
                "states in front of the batch",
                "initial states with layout 1",
                "Re-export the model with layout 0.",
            )
        return self.own(position, name, (self.b, self.h))

    def act(self, which: int, x: str, name: str, shape: Shape) -> str:
        """The activation at place `which` of this direction's, clipped before if the node says so."""
        if self.clip:
            low, high = (self.constant(f"clip{sign}", np.array(sign * self.clip, np.float32)) for sign in (-1, 1))
            x = self.make("Clip", (x, low, high), f"{name} clipped", shape)
        activation = self.activations[which]
        return self.make(activation, (x,), name, shape, **_ACTIVATIONS[activation])


class Recurrent(Composite):
    """What the three share: directions, the share of the input, and putting the states together."""

    gates: int
    settings = (4,)  # lengths of sequences

    def passes(self, call: Call) -> Rewrite:
        """Every step of every direction, then the outputs that somebody reads."""
        directions = call.shape(1)[0]
        self._check(call, directions)
        passes = Passes(call.node.name)
        states: list[list[str]] = []
        cells: list[str] = []
        for d in range(directions):
            steps = Steps(call, passes, d, self._activations(call, directions)[d])
            states.append([])
            cells.append("")
            shares = self._shares(steps)
            h, c = steps.first_state(5, "h"), steps.first_state(6, "c") if self.gates == 4 else ""
            weights = steps.own(2, "R", (self.gates * steps.h, steps.h))
            for t in reversed(range(steps.n)) if steps.backward else range(steps.n):
                share = steps.cut(f"{t}/share cut", shares, (steps.n, steps.b, self.gates * steps.h), 0, t, 1)
                share = steps.shaped(f"{t}/share", share, (steps.b, self.gates * steps.h))
                h, c = self.step(steps, t, share, weights, (h, c))
                states[-1].append(h)
                cells[-1] = c
            states[-1] = states[-1][::-1] if steps.backward else states[-1]
        _outputs(call, passes, steps, states, cells)
        return passes.rewrite()

    @abstractmethod
    def step(self, s: Steps, t: int, share: str, weights: str, before: tuple[str, str]) -> tuple[str, str]:
        """The nodes of one step: the new state, and the new cell of an LSTM, from those before.

        `share` [b, gates · h] is that of the input and both biases, `weights` [gates · h, h] those of the state.
        """

    def at_once(self, call: Call, h: int) -> Array:
        """Which of the state's biases may be added to the input's [gates · h]: 1, or 0 for one that is a step's own."""
        return np.ones(self.gates * h, np.float32)

    def _bias(self, s: Steps) -> str:
        """What is added to the input's share [gates · h]; empty without a bias."""
        if not s.call.has(3):
            return ""
        value, at_once = s.call.constant(3), self.at_once(s.call, s.h)
        if value is not None:
            of_input, of_state = value[s.d].reshape(2, -1)
            return s.constant(f"bias{s.d}", of_input + of_state * at_once)
        of_input, of_state = (s.half_bias(half) for half in range(2))
        if not at_once.all():
            of_state = s.make("Mul", (of_state, s.constant("at once", at_once)), "R bias at once", at_once.shape)
        return s.make("Add", (of_input, of_state), "bias", at_once.shape)

    def _shares(self, s: Steps) -> str:
        """The share of the input in all gates of all steps [n, b, gates · h]."""
        call, width = s.call, self.gates * s.h
        x, size = call.node.inputs[0], call.shape(0)[2]
        if call.attribute("layout", 0):
            x = s.make("Transpose", (x,), "x", (s.n, s.b, size), perm=(1, 0, 2))
        w = s.own(1, "W", (width, size))
        turned = s.make("Transpose", (w,), "W turned", (size, width), perm=(1, 0))
        product = s.make("MatMul", (x, turned), "shares", (s.n, s.b, width))
        bias = self._bias(s)
        return s.make("Add", (product, bias), "biased", (s.n, s.b, width)) if bias else product

    def _activations(self, call: Call, directions: int) -> list[tuple[str, ...]]:
        own = {3: ("Sigmoid", "Tanh"), 4: ("Sigmoid", "Tanh", "Tanh"), 1: ("Tanh",)}[self.gates]
        given = tuple(call.attribute("activations") or own * directions)
        for name in given:
            if name not in _ACTIVATIONS:
                raise UnsupportedError(
                    call.who,
                    f"an activation of {', '.join(_ACTIVATIONS)}",
                    f"'{name}'",
                    "Re-export the model with one of them.",
                )
        return [given[d * len(own) : (d + 1) * len(own)] for d in range(directions)]

    def _check(self, call: Call, directions: int) -> None:
        steps = call.shape(0)[1 if call.attribute("layout", 0) else 0]
        if steps * directions > MOST_STEPS:
            raise UnsupportedError(
                call.who,
                f"at most {MOST_STEPS} steps",
                str(steps * directions),
                "Use fewer steps with --shape, or cut the sequence.",
            )
        if call.has(4) and np.any(call.required_constant(4, "lengths of sequences") != steps):
            raise UnsupportedError(
                call.who, "sequences of one length", "some that are shorter", "Give sequences of one length."
            )
        if call.attribute("activation_alpha") or call.attribute("activation_beta"):
            raise UnsupportedError(
                call.who, "activations with their own parameters", "other ones", "Re-export the model without them."
            )


class Rnn(Recurrent):
    """H_t = f(X_t·Wᵀ + H_{t−1}·Rᵀ + b)."""

    op_types = ("RNN",)
    gates = 1

    def step(self, s: Steps, t: int, share: str, weights: str, before: tuple[str, str]) -> tuple[str, str]:
        """One product, one activation."""
        total = _gemm(s, f"{t}/sum", before[0], weights, share, s.h)
        return s.act(0, total, f"{t}/h", (s.b, s.h)), ""


class Gru(Recurrent):
    """z, r = f(…); h = g(X_t·Wᵀ + (r ∘ H_{t−1})·Rᵀ + b); H_t = (1 − z) ∘ h + z ∘ H_{t−1}."""

    op_types = ("GRU",)
    gates = 3

    def at_once(self, call: Call, h: int) -> Array:
        """With `linear_before_reset` the hidden gate's second bias is the state's own."""
        kept = super().at_once(call, h)
        kept[2 * h :] = 0.0 if call.attribute("linear_before_reset", 0) else 1.0
        return kept

    def step(self, s: Steps, t: int, share: str, weights: str, before: tuple[str, str]) -> tuple[str, str]:
        """Both gates in one product, the hidden one in another."""
        h, wide = before[0], (s.b, 3 * s.h)
        both = s.cut(f"{t}/zr share", share, wide, 1, 0, 2 * s.h)
        rest = s.cut(f"{t}/hidden share", share, wide, 1, 2 * s.h, s.h)
        upper, lower = s.rows("R zr", weights, 0, 2, s.h), s.rows("R hidden", weights, 2, 1, s.h)
        gates = s.act(0, _gemm(s, f"{t}/zr sum", h, upper, both, 2 * s.h), f"{t}/zr", (s.b, 2 * s.h))
        z, r = (s.cut(f"{t}/{name}", gates, (s.b, 2 * s.h), 1, i * s.h, s.h) for i, name in enumerate("zr"))
        if s.call.attribute("linear_before_reset", 0):
            linear = _gemm(s, f"{t}/linear", h, lower, self._own_bias(s), s.h)
            total = s.state("Add", (rest, s.state("Mul", (r, linear), f"{t}/reset")), f"{t}/hidden sum")
        else:
            total = _gemm(s, f"{t}/hidden sum", s.state("Mul", (r, h), f"{t}/reset"), lower, rest, s.h)
        hidden = s.act(1, total, f"{t}/hidden", (s.b, s.h))
        one = s.constant("one", np.ones((), np.float32))
        new = s.state("Mul", (s.state("Sub", (one, z), f"{t}/1 - z"), hidden), f"{t}/new")
        return s.state("Add", (new, s.state("Mul", (z, h), f"{t}/kept")), f"{t}/h"), ""

    def _own_bias(self, s: Steps) -> str:
        """The state's bias of the hidden gate [h]; zeros without one."""
        value = s.call.constant(3)
        if s.call.has(3) and value is None:
            return s.cut("own bias", s.half_bias(1), (3 * s.h,), 0, 2 * s.h, s.h)
        own = np.zeros(s.h, np.float32) if value is None else value[s.d].reshape(2, 3, -1)[1, 2]
        return s.constant(f"own bias{s.d}", own)


class Lstm(Recurrent):
    """i, o, f = f(…), c = g(…); C_t = f ∘ C_{t−1} + i ∘ c; H_t = o ∘ h(C_t)."""

    op_types = ("LSTM",)
    gates = 4

    def step(self, s: Steps, t: int, share: str, weights: str, before: tuple[str, str]) -> tuple[str, str]:
        """All gates in one product; peepholes look at the cell before, that of the output gate at the new one."""
        if s.call.attribute("input_forget", 0):
            raise UnsupportedError(s.call.who, "gates of their own", "input_forget", "Re-export the model without it.")
        h, c = before
        total = _gemm(s, f"{t}/sum", h, weights, share, 4 * s.h)
        i, o, f, g = (s.cut(f"{t}/{name} sum", total, (s.b, 4 * s.h), 1, k * s.h, s.h) for k, name in enumerate("iofc"))
        state = (s.b, s.h)
        i = s.act(0, self._peeping(s, t, "i", 0, i, c), f"{t}/i", state)
        f = s.act(0, self._peeping(s, t, "f", 2, f, c), f"{t}/f", state)
        g = s.act(1, g, f"{t}/candidate", state)
        kept = s.state("Mul", (f, c), f"{t}/kept")
        new = s.state("Add", (kept, s.state("Mul", (i, g), f"{t}/new")), f"{t}/cell")
        o = s.act(0, self._peeping(s, t, "o", 1, o, new), f"{t}/o", state)
        return s.state("Mul", (o, s.act(2, new, f"{t}/shown", state)), f"{t}/h"), new

    def _peeping(self, s: Steps, t: int, name: str, place: int, total: str, cell: str) -> str:
        if not s.call.has(7):
            return total
        value = s.call.required_constant(7, "peepholes")[s.d].reshape(3, -1)[place]
        seen = s.state("Mul", (cell, s.constant(f"P{name}{s.d}", value)), f"{t}/{name} peeped")
        return s.state("Add", (total, seen), f"{t}/{name} with cell")


def _gemm(s: Steps, name: str, a: str, b: str, c: str, columns: int) -> str:
    """a · bᵀ + c."""
    return s.make("Gemm", (a, b, c), name, (s.b, columns), transA=0, transB=1, alpha=1.0, beta=1.0)


def _outputs(call: Call, passes: Passes, s: Steps, states: list[list[str]], cells: list[str]) -> None:
    """Y [n, directions, b, h], and the last states and cells [directions, b, h]; the batch first with layout 1."""
    last = [own[0] if d == 1 or call.attribute("direction") == "reverse" else own[-1] for d, own in enumerate(states)]
    shape: Shape
    turned: Shape
    for position, output in enumerate(call.node.outputs):
        if not output:
            continue
        if position == 0:
            each = [name for pair in zip(*states, strict=True) for name in pair]
            shape, turned = (s.n, len(states), s.b, s.h), (2, 0, 1, 3)
        else:
            each, shape, turned = (last if position == 1 else cells), (len(states), s.b, s.h), (1, 0, 2)
        joined = TensorInfo(f"{call.node.name}/{output}/joined", (len(each) * s.b, s.h))
        passes.add_onnx("Concat", tuple(each), joined, axis=0)
        batchwise = bool(call.attribute("layout", 0))
        target = passes.constant(f"{output}/shape", np.array(shape, dtype=np.int64))
        shaped = f"{call.node.name}/{output}/shaped" if batchwise else output
        if batchwise:
            passes.tensors.append(TensorInfo(shaped, shape))
        passes.nodes.append(
            Node(f"{call.node.name}/{output}", "Reshape", (joined.name, target), (shaped,), {"allowzero": 0}, opset=18)
        )
        if batchwise:
            name = f"{call.node.name}/{output}/turned"
            passes.nodes.append(Node(name, "Transpose", (shaped,), (output,), {"perm": turned}, opset=18))


OPERATORS = (Rnn(), Gru(), Lstm())
