"""Writes random compute shaders in WGSL, whose results are numbers in a buffer, one for each expression."""

from __future__ import annotations

import random

_SCALARS = ("i32", "u32", "f32")
_INPUTS: dict[str, list[float]] = {
    "i32": [0, 1, -1, 2, -7, 13, 100, -2147483648, 2147483647, 65537, 33, -32, 5, 9, -3, 31],
    "u32": [0, 1, 2, 3, 31, 32, 33, 7, 255, 65535, 4294967295, 2147483648, 12, 90, 4, 64],
    "f32": [0.0, 1.0, -1.0, 0.5, -2.5, 3.75, 1e3, -1e-3, 7.0, -0.25, 2.0, 100.5, -33.0, 0.1, 9.9, 4e9],
}
ELEMENTS = 16


class ProgramWriter:
    """Writes expressions and statements of random types, from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._count = 0

    def program(self, results: int) -> str:
        """Returns a shader; invocation `i` of 16 writes `results` numbers to `out`, from element `i * results` on."""
        body = "\n".join(self._result(number, results) for number in range(results))
        return _FRAME.format(body=body)

    def _result(self, number: int, results: int) -> str:
        kind = self._random.choice(_SCALARS)
        name = f"r{number}"
        if self._random.random() < 0.4:
            lines = self._statements(kind, name)
        else:
            lines = [f"let {name} = {self._expression(kind, 3)};"]
        held = name if kind == "u32" else f"bitcast<u32>({name})"
        return "\n".join(f"  {line}" for line in [*lines, f"out[i * {results}u + {number}u] = {held};"])

    # -- statements ----------------------------------------------------------------------------------------

    def _statements(self, kind: str, name: str) -> list[str]:
        self._count += 1
        turn = f"t{self._count}"
        step = self._expression(kind, 2)
        first = self._expression(kind, 1)
        choice = self._random.randrange(7)
        if choice == 0:
            return [f"var {name} = {first};", f"for (var {turn} = 0; {turn} < 3; {turn}++) {{ {name} = {step}; }}"]
        if choice == 1:
            condition = self._condition(1)
            return [
                f"var {name}: {kind};",
                f"if {condition} {{ {name} = {first}; }} else if ({self._condition(1)}) {{ {name} = {step}; }}",
                f"else {{ {name} += {self._literal(kind)}; }}",
            ]
        if choice == 2:
            return [
                f"var {name} = {first}; var {turn} = 0u;",
                f"loop {{ {turn} += 1u; if ({turn} == 2u) {{ continue; }} if {turn} > 4u {{ break; }} {name} = {step};",
                f"continuing {{ {name} += {self._literal(kind)}; break if {turn} > 7u; }} }}",
            ]
        if choice == 3:
            return [
                f"var {name} = {first};",
                f"switch b[{self._random.randrange(16)}] % 3u {{ case 0u, 2u: {{ {name} = {step}; }}",
                f"case 1u {{ {name} = {self._expression(kind, 1)}; }} default: {{ }} }}",
            ]
        if choice == 4:
            part = self._random.choice("xyz")
            return [
                f"var v{turn} = vec3<{kind}>({first});",
                f"v{turn}.{part} = {step}; v{turn}[1] = v{turn}.x;",
                f"let {name} = v{turn}.zyx.x;",
            ]
        if choice == 5:
            return [
                f"var a{turn}: array<{kind}, 4>;",
                f"for (var {turn} = 0u; {turn} < 4u; {turn}++) {{ a{turn}[{turn}] = {step}; }}",
                f"let p{turn} = &a{turn}[2]; *p{turn} += {self._literal(kind)}; let {name} = a{turn}[i % 4u];",
            ]
        return [f"var {name} = {first};", f"change_{kind}(&{name}, {step});"]

    # -- expressions ---------------------------------------------------------------------------------------

    def _expression(self, kind: str, depth: int) -> str:
        if depth == 0 or self._random.random() < 0.12:
            return self._leaf(kind)
        inner = depth - 1
        choices = (self._operation, self._call, self._conversion, self._chosen, self._component)
        return self._random.choice(choices)(kind, inner)

    def _leaf(self, kind: str) -> str:
        if self._random.random() < 0.25:
            return self._literal(kind)
        name = {"i32": "a", "u32": "b", "f32": "c"}[kind]
        return f"{name}[(i + {self._random.randrange(16)}u) % 16u]"

    def _literal(self, kind: str) -> str:
        value = self._random.choice([1, 2, 3, 5, 8])
        if kind == "f32":
            return self._random.choice([f"{value}.0", f"{value}.5f", f"0.{value}", f"{value}f"])
        return f"{value}{'u' if kind == 'u32' else self._random.choice(['', 'i'])}"

    def _operation(self, kind: str, depth: int) -> str:
        left, right = self._expression(kind, depth), self._expression(kind, depth)
        if kind == "f32":
            return f"({left} {self._random.choice('+-*')} {right})"
        sign = self._random.choice(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
        if sign in ("<<", ">>"):
            right = self._expression("u32", depth)
        if sign in ("/", "%") and "[" not in right:
            right = self._literal(kind)  # a constant divisor that is 0 is an error
        unary = self._random.choice(["", "", "~"] if kind == "u32" else ["", "", "~", "-"])
        return f"({unary}({left}) {sign} ({right}))"

    def _call(self, kind: str, depth: int) -> str:
        left, right = self._expression(kind, depth), self._expression(kind, depth)
        if kind == "f32":
            calls = [
                f"floor({left})", f"abs({left})", f"max({left}, {right})", f"min({left}, {right})", f"trunc({left})",
                f"clamp({left}, -4.0, 9.5)", f"select({left}, {right}, {self._condition(0)})", f"sign({left})",
                f"ceil({left})", f"round({left})", f"dot(vec2f({left}, 1), vec2f(0.5, {right}))", f"saturate({left})",
                f"step({left}, {right})",
            ]  # fmt: skip
        else:
            calls = [
                f"max({left}, {right})", f"min({left}, {right})", f"countOneBits({left})", f"abs({left})",
                f"firstLeadingBit({left})", f"firstTrailingBit({left})", f"countLeadingZeros({left})",
                f"countTrailingZeros({left})", f"reverseBits({left})",
                f"select({left}, {right}, {self._condition(0)})", f"clamp({left}, 1, 90)",
                f"extractBits({left}, {self._expression('u32', 0)}, {self._expression('u32', 0)})",
                f"dot(vec3<{kind}>({left}, 1, 2), vec3<{kind}>(3, {right}, 1))",
                f"insertBits({left}, {right}, {self._expression('u32', 0)}, {self._expression('u32', 0)})",
                f"dot4{kind[0].upper()}8Packed({self._expression('u32', 0)}, {self._expression('u32', 0)})",
                f"{kind}(pack4x{kind[0].upper()}8(vec4<{kind}>({left}, {right}, 7, 300)))",
                f"unpack4x{kind[0].upper()}8({self._expression('u32', depth)}).y",
            ]  # fmt: skip
        return self._random.choice(calls)

    def _conversion(self, kind: str, depth: int) -> str:
        other = self._random.choice([each for each in _SCALARS if each != kind])
        inner = self._expression(other, depth)
        if kind == "f32" or other == "f32" or self._random.random() < 0.5:
            return f"{kind}({inner})"
        return f"bitcast<{kind}>({inner})"

    def _chosen(self, kind: str, depth: int) -> str:
        return f"select({self._expression(kind, depth)}, {self._expression(kind, depth)}, {self._condition(depth)})"

    def _component(self, kind: str, depth: int) -> str:
        left, right = self._expression(kind, depth), self._expression(kind, depth)
        size = self._random.choice([2, 3, 4])
        vector = f"vec{size}<{kind}>({', '.join([left, right, '1', '2'][:size])})"
        sign = self._random.choice(["+", "*", "-"])
        return f"({vector} {sign} {self._literal(kind)}).{self._random.choice('xyzw'[:size])}"

    def _condition(self, depth: int) -> str:
        kind = self._random.choice(_SCALARS)
        sign = self._random.choice(["<", ">", "<=", ">=", "==", "!="])
        one = f"({self._expression(kind, depth)} {sign} {self._expression(kind, depth)})"
        return self._random.choice([one, f"(!{one})", f"({one} && (i != 3u))", f"any(vec2<bool>({one}, i > 9u))"])


def inputs() -> dict[str, list[float]]:
    """Returns what the buffers `a` (i32), `b` (u32) and `c` (f32) hold, 16 numbers each."""
    return {"a": [*_INPUTS["i32"]], "b": [*_INPUTS["u32"]], "c": [*_INPUTS["f32"]]}


_FRAME = """\
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read> c: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<u32>;

fn change_i32(p: ptr<function, i32>, by: i32) {{ *p = *p ^ by; }}
fn change_u32(p: ptr<function, u32>, by: u32) {{ *p += by; }}
fn change_f32(p: ptr<function, f32>, by: f32) {{ *p -= by; }}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
  let i = id.x;
{body}
}}
"""
