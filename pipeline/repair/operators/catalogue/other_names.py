"""Uses something else of the same type: a variable, a function, a sampler, an array, or what the shader never uses."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator
from typing import cast

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import argument_of, arguments, function_called
from texelscope.pipeline.glsl.semantics.statements import MacroBody
from texelscope.pipeline.glsl.semantics.tree import Comment
from texelscope.pipeline.glsl.semantics.types import is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.operators.limits import LIMITS
from texelscope.pipeline.repair.operators.operator import ExpressionOperator, TrialStage
from texelscope.pipeline.repair.operators.place import Place, Shader
from texelscope.pipeline.repair.operators.spelling import JOINING
from texelscope.pipeline.repair.text.mutation import LEAVES, with_texts

_FAMILIES = (
    ("sin", "cos", "tan"), ("floor", "ceil", "round", "trunc", "fract"), ("min", "max"), ("exp", "exp2"),
    ("log", "log2"), ("sqrt", "inversesqrt", "abs"), ("tanh", "atan", "sinh", "exp"),
    ("equal", "notEqual"), ("lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual"), ("any", "all"),
)  # fmt: skip
_DIVIDING = ({"/", "%"}, {">>", "&"})
_ENDINGS = {"vec4": "", "float": ".x", "vec2": ".xy", "vec3": ".xyz"}
_WORD = re.compile(r"\w+")
_INVOCATION = re.compile(r"\bgl_(?:GlobalInvocation|WorkGroup)ID\.[xyz]\b")


class OtherVariable(ExpressionOperator, nodes=(*LEAVES, NumberLiteral), stage=TrialStage.NAMES):
    """Another variable is right, for a number too, or an index for a lane.

    `x` becomes `y`, `i + 1` becomes `i + n`, `v.x` becomes `v[i % 4]`.
    """

    def mutants(self, at: Place) -> Iterator[str]:
        if at.has(NumberLiteral):
            # A number counts that is used further: an operand, or an argument of the shader's functions.
            is_within = isinstance(at.parent, BinaryExpression) or (
                at.call is not None and not is_constructor(at.called)
            )
            yield from at.others() if at.kind == "int" and is_within else ()
        elif at.scalar and not at.is_matrix:
            base = argument_of(at.node)
            yield from (each for each in at.others() if base is None or each.rpartition(".")[0] != at.text[:-2])
            lanes = lanes_of(at.of(base)) if base is not None else 0
            if base is not None and lanes > 1 and at.lanes == 1 and at.scalar != "bool":
                yield from (f"{base.text}[{each} % {lanes}]" for each in at.names("int")[: LIMITS.names])


def is_constructor(name: str) -> bool:
    """Whether a function makes a vector or a scalar."""
    return re.fullmatch(r"[iu]?vec[234]|FLOAT|INT|UINT", name) is not None


class OtherFunction(ExpressionOperator, nodes=(FunctionCall,), stage=TrialStage.NAMES):
    """Another function of the same arguments is right: `sin(x)` becomes `cos(x)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        return calls_like(at)


def calls_like(at: Place) -> Iterator[str]:
    """Yields a call with another function, or another sampler."""
    if not isinstance(at.node, FunctionCall):
        return
    name, given, given_as = at.name, at.given, at.node.argument_list.text
    for family in _FAMILIES:
        if name in family and (at.scalar != "int" or name != "abs"):  # others of that family need floats
            yield from (f"{other}{given_as}" for other in family if other != name)
    yield from (f"{other}{given_as}" for other in at.scope.alike(name, at.node)[: LIMITS.names])
    for place, argument in enumerate(given):
        kind = at.of(argument)
        for other, own in at.scope.samplers if "sampler" in kind and isinstance(argument, Identifier) else ():
            if own == kind and other != argument.text and at.scope.is_known(other, at.node):
                yield f"{name}({', '.join(other if i == place else each.text for i, each in enumerate(given))})"
    if name == "FLOAT" and len(given) == 1 and isinstance(given[0], BinaryExpression) and given[0].operator == "/":
        yield " / ".join(f"FLOAT({part.text})" for part in given[0].named_children)
    if name == "INT" and len(given) == 1 and at.of(given[0]) == "float":
        yield from (f"INT({other}({given[0].text}))" for other in ("floor", "round", "ceil"))
    if at.is_matrix and "x" not in at.kind:
        yield f"transpose({at.text})"


class OtherArray(ExpressionOperator, nodes=(Subscript,), stage=TrialStage.NAMES):
    """Another array, or buffer, is read at that index: `a[i]` becomes `b[i]`."""

    def mutants(self, at: Place) -> Iterator[str]:
        base = at.node.named_children[0]
        kind = at.of(base)
        if not kind.endswith("[]"):
            return
        outside = [name for name, own in at.types.visible("") if own == kind and at.scope.is_known(name, at.node)]
        others = [*dict.fromkeys((*at.names(kind), *outside))]
        some = [each for each in others if each not in at.types.written][: LIMITS.names]
        yield from (f"{each}{at.text[len(base.text) :]}" for each in some if each != base.text)


class OneOfAChoice(ExpressionOperator, nodes=(ConditionalExpression, BinaryExpression), stage=TrialStage.NAMES):
    """One of two values or conditions is enough, or values are exchanged: `i < n ? x : y` becomes `(x)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if isinstance(at.node, ConditionalExpression):
            first, second = at.node.consequence.text, at.node.alternative.text
            exchanged = f"{at.node.condition.text} ? {second} : {first}"
            yield from (f"({new})" for new in (first, second, exchanged))
        elif at.sign in JOINING:
            yield from (f"({part.text})" for part in at.node.named_children if not isinstance(part, Comment))


class PartsExchanged(ExpressionOperator, nodes=(BinaryExpression, FunctionCall, Subscript), stage=TrialStage.NAMES):
    """Two variables, two numbers, or quotient and remainder are exchanged: `i * n + j` becomes `j * n + i`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if isinstance(at.parent, BinaryExpression | Parenthesised):
            return
        every = [*at.node.walk()]
        leaves = [each for each in every if isinstance(each, Identifier | NumberLiteral) and scalar_of(at.of(each))]
        are_few = len(leaves) <= LIMITS.leaves and not at.has(Subscript)
        for one, other in itertools.combinations(leaves, 2) if are_few else ():
            kind = at.of(one)
            if type(one) is type(other) and kind == at.of(other) and one.text != other.text and not is_matrix(kind):
                yield with_texts(at.node, {one: other.text, other: one.text})
        divided = [each for each in every if each.operator in ("/", "%", ">>", "&")]
        for first, second in itertools.combinations(divided, 2):
            is_of_one = first.named_children[0].text == second.named_children[0].text
            if is_of_one and {first.operator, second.operator} in _DIVIDING:
                yield with_texts(at.node, {first: second.text, second: first.text})


class IndicesExchanged(ExpressionOperator, nodes=(Subscript,), stage=TrialStage.NAMES):
    """Two indices of an array of arrays are exchanged: `tile[i][j]` becomes `tile[j][i]`."""

    def mutants(self, at: Place) -> Iterator[str]:
        inner = at.node.named_children[0]
        if isinstance(inner, Subscript) and inner.index.text != (own := cast(Subscript, at.node).index).text:
            yield with_texts(at.node, {inner.index: own.text, own: inner.index.text})


class _Unused:
    """The names of a shader that occur only where they are declared: a strong hint."""

    def __init__(self, shader: Shader) -> None:
        types = shader.types
        texts = (node.text for node in shader.root.of_type(Identifier, MacroBody))
        said = Counter(word for text in texts for word in _WORD.findall(text))
        self.names = {word for word, count in said.items() if count == 1}
        self.samplers = [(name, kind) for name, kind in shader.scope.samplers if name in self.names]
        outside = types.uniforms | types.constants
        self.numbers = [
            (name, kind) for name, kind in types.visible("")
            if name in self.names and kind in ("float", "int") and name in outside
        ]  # fmt: skip
        arrays = {**dict(types.visible("")), **types.members}
        # What a shader uses of the numbers of its invocations.
        self.invocations = [*dict.fromkeys(_INVOCATION.findall(shader.source))]
        # A member of a block without a name is declared by no identifier.
        self._arrays = {
            name: kind for name, kind in arrays.items()
            if kind.endswith("[]") and name not in types.written
            and (name.partition(".")[0] in self.names or ("." not in name and said[name] == 0))
        }  # fmt: skip

    def arrays(self, kind: str) -> list[str]:
        """Returns arrays of a type, among them those of blocks, as the shader writes them."""
        return [name for name, own in self._arrays.items() if own == kind]


class UnusedSampler(ExpressionOperator, stage=TrialStage.UNUSED, scalars="float"):
    """A value lacks what nothing uses, a sampler: `x` becomes `(x + texelFetch(spare, ivec2(i, 0), 0).x)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not at.is_value:
            return
        text, unused = at.text, at.shader.fact(_Unused)
        for read in itertools.islice(self._reads(at, unused), LIMITS.unused_reads):
            yield from (f"({text} {sign} {read})" for sign in "+-")
            yield read if at.has(NumberLiteral) else f"(({text}) * {read})"
        for part in itertools.islice(self._variables(at, unused), LIMITS.unused_reads):
            yield from (f"({text} {sign} {part})" for sign in "+-")

    @staticmethod
    def _variables(at: Place, unused: _Unused) -> Iterator[str]:
        """Yields computed variables, alone and times an unused function's call."""
        for name, own in at.scope.variables(at.node):
            if name in unused.names and own in (at.kind, "float"):
                yield from ([name] if own == at.kind else [])
                yield from (f"{name} * {call}" for call in at.scope.unused(at.node, at.kind))

    @staticmethod
    def _reads(at: Place, unused: _Unused) -> Iterator[str]:
        """Yields reads of each unused sampler, in the form of another read, or at a variable's position."""
        node, scope, ending, few = at.node, at.scope, _ENDINGS.get(at.kind), LIMITS.paired_names
        for name, own in unused.samplers if ending is not None else ():
            if not scope.is_known(name, node):
                continue
            for call in scope.reads(node):
                texts = [name if at.of(each) == own else each.text for each in arguments(call)]
                if name in texts:
                    yield f"{function_called(call)}({', '.join(texts)}){ending if at.of(call) == 'vec4' else ''}"
            if own != "sampler2D":
                continue
            indices = scope.of_type(node, "int")
            places = [f"ivec2({each}, 0)" for each in indices]
            places[2:2] = scope.of_type(node, "ivec2")
            places += [f"ivec2(0, {each})" for each in indices[:few]]
            yield from (f"texelFetch({name}, {place}, 0){ending}" for place in places)
            if at.kind == "float":
                yield from (f"texelFetch({name}, ivec2({each} / 4, 0), 0)[{each} % 4]" for each in indices[:few])


class UnusedArray(ExpressionOperator, stage=TrialStage.UNUSED, scalars="float"):
    """A value lacks an element of what nothing uses, an array or a buffer: `0.0` becomes `b[i]`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not at.is_value:
            return
        unused = at.shader.fact(_Unused)
        names = unused.arrays(f"{at.kind}[]")
        if not names:
            return
        variables = [*dict.fromkeys((*at.names("int"), *at.names("uint")))][: LIMITS.names]
        indices = (*variables, *unused.invocations)
        for name, index in itertools.islice(itertools.product(names, indices), LIMITS.unused_reads):
            element = f"{name}[{index}]"
            yield element if _is_of_numbers(at) else f"({at.text}) * {element}"
            yield from (f"({at.text} {sign} {element})" for sign in "+-")


def _is_of_numbers(at: Place) -> bool:
    """Whether it is a number, or a vector of numbers."""
    return at.has(NumberLiteral) or (
        is_constructor(at.name) and all(isinstance(each, NumberLiteral) for each in at.given)
    )


class UnusedNumber(ExpressionOperator, stage=TrialStage.UNUSED, scalars="float int"):
    """A value or an operand lacks a number that nothing uses: `x` becomes `((x) * u_unused)`."""

    def mutants(self, at: Place) -> Iterator[str]:
        if not at.is_value and not isinstance(at.parent, BinaryExpression | UnaryExpression | ArgumentList):
            return
        numbers = [each for each in at.shader.fact(_Unused).numbers if at.scope.is_known(each[0], at.node)]
        if at.kind == "float" and at.is_value:
            indices = [name for name, kind in at.scope.variables(at.node) if kind == "int"][: LIMITS.paired_names]
            for name, _ in (each for each in numbers if each[1] == "float"):
                for one, other in itertools.permutations(indices, 2):  # a mask
                    yield f"({at.text} + ({one} > {other} ? {name} : 0.0))"
        for name, _ in (each for each in numbers if each[1] == at.scalar):
            yield from (f"(({at.text}) {sign} {name})" for sign in ("*+-/" if at.scalar == "float" else "*+-/%"))
            if at.has(Identifier, NumberLiteral, FieldAccess) and at.kind == at.scalar:
                yield name
            if at.name in ("sqrt", "inversesqrt"):
                power = "-" * (at.name == "inversesqrt") + name
                yield f"pow({at.node.named_children[-1].text[1:-1]}, {power})"
