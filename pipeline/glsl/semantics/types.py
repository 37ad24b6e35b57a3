"""Infers GLSL types of expressions from the text: declarations, constructors, swizzles, functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    BooleanLiteral,
    ConditionalExpression,
    FieldAccess,
    FieldName,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.questions import declared_name, name_around, names_in, target_of, value_of
from texelscope.pipeline.glsl.semantics.statements import (
    ArrayDeclarator,
    Declaration,
    FunctionDefinition,
    InitDeclarator,
    ParameterDeclaration,
    PlainMacro,
    StructMembers,
    StructSpecifier,
    declarators_of,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.sampler_kinds import kind_called

# Letters of lanes: a swizzle uses one of these alphabets.
ALPHABETS = ("xyzw", "rgba", "stpq")
_SCALARS = {"float": "", "int": "i", "uint": "u", "bool": "b"}
_VECTOR = re.compile(r"([iub]?)vec([234])")
_MATRIX = re.compile(r"mat([234])(?:x([234]))?")
# Types as written. The parser gets constructors of scalars in capitals (`constructors_as_calls`).
_NAMES = {kind.upper(): kind for kind in _SCALARS}
# The long names of square matrices.
_SQUARE = {f"mat{size}x{size}": f"mat{size}" for size in (2, 3, 4)}
_LIKE_FIRST = frozenset(
    {
        "abs", "acos", "asin", "atan", "ceil", "clamp", "cos", "cosh", "exp", "exp2", "floor", "fract", "inversesqrt",
        "log", "log2", "max", "min", "mix", "mod", "normalize", "pow", "round", "roundEven", "sign", "sin", "sinh",
        "sqrt", "tan", "tanh", "trunc", "reflect", "not", "dFdx", "dFdy", "fwidth",
    }
)  # fmt: skip
_TO = {
    **dict.fromkeys(("dot", "length", "distance"), "float"),
    **dict.fromkeys(("any", "all"), "bool"),
    **dict.fromkeys(
        ("texture", "textureLod", "textureGrad", "textureOffset", "texelFetch", "texelFetchOffset"), "vec4"
    ),
    "textureSize": "ivec2",
    "imageLoad": "vec4",
}
_COMPARED = frozenset(("lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual"))
_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^"))
_BUILT_IN = {
    "gl_FragCoord": "vec4", "gl_PointCoord": "vec2", "gl_LocalInvocationIndex": "uint",
    **dict.fromkeys(
        ("gl_GlobalInvocationID", "gl_LocalInvocationID", "gl_WorkGroupID", "gl_WorkGroupSize", "gl_NumWorkGroups"),
        "uvec3",
    ),
}  # fmt: skip


# Functions of sizes, and the longest chain of them.
_OF_SIZES = frozenset({"textureSize", "imageSize", "INT", "FLOAT", "ivec2", "vec2", "ivec3", "min", "max"})
_STEPS = 3


def scalar_of(kind: str) -> str:
    """Returns the scalar type of a scalar, a vector or a matrix; empty for anything else."""
    if kind in _SCALARS:
        return kind
    if (found := _VECTOR.fullmatch(kind)) is not None:
        return next(name for name, letter in _SCALARS.items() if letter == found[1])
    return "float" if _MATRIX.fullmatch(kind) else ""


def lanes_of(kind: str) -> int:
    """Returns the number of lanes of a scalar or a vector; 0 for anything else."""
    if kind in _SCALARS:
        return 1
    found = _VECTOR.fullmatch(kind)
    return int(found[2]) if found is not None else 0


def is_matrix(kind: str) -> bool:
    """Whether it is a matrix type."""
    return _MATRIX.fullmatch(kind) is not None


def is_in_a_table(node: SyntaxNode) -> bool:
    """Whether a node is one of many adjacent numbers: of a matrix, of a row of an array."""
    around = [each for each in node.ancestors() if isinstance(each, FunctionCall)]
    is_row = any(isinstance(each.children[0], Subscript) for each in around)
    return is_row or (bool(around) and is_matrix(around[0].name))


def vector(scalar: str, lanes: int) -> str:
    """Returns the type of so many lanes of a scalar type."""
    return scalar if lanes == 1 else f"{_SCALARS[scalar]}vec{lanes}"


class Types:
    """The types of the expressions of one parsed shader; empty if unknown."""

    def __init__(self, root: SyntaxNode) -> None:
        """`root` was parsed from `constructors_as_calls`."""
        self._names: dict[tuple[str, str], str] = {}
        self._functions: dict[str, str] = {}
        # The type of each member of a block or structure, by the expression's text; arrays of a block without a name
        # are variables.
        self.members: dict[str, str] = {}
        self.macros: dict[str, str] = {}
        self.uniforms: set[str] = set()
        self.constants: set[str] = set()
        # Names that may only be written, and names that the shader assigns.
        self.written: set[str] = set()
        self.given: set[str] = set()
        self._structures: dict[str, dict[str, str]] = {}
        self._aliases = _aliases(root)
        self._root = root
        for node in root.walk():
            if isinstance(node, Declaration | ParameterDeclaration):
                self._declare(node)
            if isinstance(node, StructSpecifier):
                self._structure(node)
            if isinstance(node, Declaration):
                self._declare_members(node)
            elif isinstance(node, FunctionDefinition):
                known, name = self.written_as(node.type), node.name
                self._functions[name] = known if self._functions.get(name, known) == known else ""

    def written_as(self, kind: SyntaxNode | None) -> str:
        """Returns the type that a declaration names, by GLSL's name; empty for none."""
        text = kind.text if kind is not None else ""
        return self._aliases.get(text, text)

    def name(self, function: str, name: str) -> str:
        """Returns the type of a variable seen from a function."""
        return self._names.get((function, name)) or self._names.get(("", name)) or _BUILT_IN.get(name, "")

    def at(self, node: SyntaxNode, name: str) -> str:
        """Returns the type of a variable seen from a node."""
        return self.name(name_around(node), name)

    def learn(self, name: str, kind: str, *, is_call: bool) -> None:
        """Adds the type of a macro's body."""
        if is_call:
            self._functions.setdefault(name, kind)
        else:
            self._names.setdefault(("", name), kind)
            self.macros[name] = kind

    def learn_parameter(self, function: str, name: str, kind: str) -> None:
        """Adds the type of a macro's parameter, for the function that its body is parsed in."""
        self._names.setdefault((function, name), kind)

    def learn_declarations(self, root: SyntaxNode) -> None:
        """Adds the declarations in another tree, such as the body of a macro."""
        for node in root.walk():
            if isinstance(node, Declaration):
                self._declare(node)

    def function(self, name: str) -> str:
        """Returns the return type of a function of the shader; empty for any other."""
        return self._functions.get(name, "")

    def visible(self, function: str) -> Iterator[tuple[str, str]]:
        """Yields name and type of variables declared in a function, or outside all."""
        return ((name, kind) for (where, name), kind in self._names.items() if where in (function, "") and kind)

    @cached_property
    def sizes(self) -> frozenset[str]:
        """Returns variables with a single, uniform value: sizes of textures, expressions of uniforms."""
        given: dict[str, list[SyntaxNode | None]] = {}
        for node in self._root.walk():
            if isinstance(node, InitDeclarator | ParameterDeclaration):
                given.setdefault(declared_name(node), []).append(value_of(node))
            elif isinstance(node, Assignment | UpdateExpression) and (target := target_of(node)) is not None:
                given.setdefault(next(names_in(target), ""), []).append(None)
        found: set[str] = set()
        for _ in range(_STEPS):
            found.update(name for name, values in given.items() if all(self._is_fixed(each, found) for each in values))
        return frozenset(found)

    def _is_fixed(self, value: SyntaxNode | None, sizes: set[str]) -> bool:
        """Whether a value consists of numbers, uniforms and constants."""
        known = self.uniforms | self.constants | {*self.macros} | sizes
        if value is None or scalar_of(self.of(value)) not in ("int", "float"):
            return False
        for node in value.walk():
            if isinstance(node, Identifier) and node.text not in known | _OF_SIZES and "sampler" not in self.of(node):
                return False
        return True

    def fields(self, kind: str) -> Mapping[str, str]:
        """Returns name and type of the fields of a structure; none for any other type."""
        return self._structures.get(kind, {})

    def of(self, node: SyntaxNode) -> str:
        """Returns the type of an expression."""
        match node:
            case Identifier():
                return self.name(name_around(node), node.text)
            case NumberLiteral():
                return _number(node.text)
            case BooleanLiteral():
                return "bool"
            case Parenthesised():
                return self.of(node.inner) if node.inner is not None else ""
            case UnaryExpression() | UpdateExpression():
                return self.of(node.argument)
            case BinaryExpression():
                return self._binary(node)
            case ConditionalExpression():
                return self.of(node.consequence)
            case FieldAccess():
                return self._field(node)
            case Subscript():
                return self._subscript(node)
            case FunctionCall():
                return self._call(node)
        return ""

    def _declare(self, node: Declaration | ParameterDeclaration) -> None:
        if node.has_word("writeonly"):
            self.written.update(each.text for each in node.walk() if isinstance(each, Identifier | FieldName))
        if node.type is None:
            return
        function = name_around(node)
        for child in declarators_of(node):
            inner = child.declarator if isinstance(child, InitDeclarator) else child
            array = isinstance(inner, ArrayDeclarator)
            name = inner.text if isinstance(inner, Identifier) else declared_name(child)
            if array and isinstance(child, InitDeclarator):
                name = declared_name(child) or inner.children[0].text
            known = self.written_as(node.type) + "[]" * array * _dimensions(inner)
            before = self._names.get((function, name), known)
            self._names[function, name] = known if before == known else ""
            if node.has_word("uniform"):
                self.uniforms.add(name)
            if not function and node.has_word("out"):
                self.given.add(name)
            if not function and node.has_word("const"):
                self.constants.add(name)

    def _declare_members(self, node: Declaration) -> None:
        """Declares members of a block without a name, or of a structure declared in place."""
        inside = node.type if isinstance(node.type, StructSpecifier) else node
        fields = next((each for each in inside.named_children if isinstance(each, StructMembers)), None)
        if fields is None:
            return
        after = (
            each for each in node.named_children if isinstance(each, Identifier) and each.start_byte > fields.end_byte
        )
        instance = next((each.text for each in after), "")
        for field in fields.lines:
            for child in field.declarators:
                array = isinstance(child, ArrayDeclarator)
                name = child.children[0].text if array else child.text
                known = self.written_as(field.type) + "[]" * array
                if instance:
                    self.members[f"{instance}.{name}"] = known
                else:
                    self._names["", name] = known
                    if not array:
                        self.members[name] = known

    def _structure(self, node: StructSpecifier) -> None:
        if node.name is None or node.body is None:
            return
        fields = self._structures.setdefault(node.name.text, {})
        for field in node.body.lines:
            for child in field.declarators:
                if field.type is not None and isinstance(child, FieldName):
                    fields[child.text] = self.written_as(field.type)

    def _binary(self, node: BinaryExpression) -> str:
        if node.operator in _COMPARISONS:
            return "bool"
        first, second = self.of(node.left), self.of(node.right)
        if not first or not second:
            return ""
        if first == second or lanes_of(second) == 1:
            return first
        if lanes_of(first) == 1:
            return second
        if node.operator == "*" and is_matrix(first) != is_matrix(second) and "x" not in first + second:
            return second if is_matrix(first) else first
        return ""

    def _field(self, node: FieldAccess) -> str:
        if (member := self.members.get(node.text)) is not None:
            return member
        own = self.of(node.argument)
        if own in self._structures:
            return self._structures[own].get(node.field.text, "")
        scalar, letters = scalar_of(own), node.field.text
        return vector(scalar, len(letters)) if scalar and len(letters) <= 4 else ""

    def _subscript(self, node: Subscript) -> str:
        kind = self.of(node.argument)
        if kind.endswith("[]"):
            return kind[:-2]
        if (found := _MATRIX.fullmatch(kind)) is not None:
            return f"vec{found[2] or found[1]}"
        return scalar_of(kind) if lanes_of(kind) > 1 else ""

    def _call(self, node: FunctionCall) -> str:
        name = self._aliases.get(node.name, _NAMES.get(node.name, node.name))
        if scalar_of(name):
            return name
        if name in self._functions:
            return self._functions[name]
        if name in self._structures:
            return name
        given = node.arguments
        if name in _TO:
            return self._read(name, given[0]) if given else _TO[name]
        if not given:
            return ""
        if name == "step":
            return self.of(given[-1])
        if name in _COMPARED:
            lanes = lanes_of(self.of(given[0]))
            return vector("bool", lanes) if lanes else ""
        return self.of(given[0]) if name in _LIKE_FIRST else ""

    def _read(self, name: str, of: SyntaxNode) -> str:
        """Returns the type of a read of a texture, or of its size, which depend on the sampler's type."""
        kind = kind_called(self.of(of))
        if kind is None or _TO[name] not in ("vec4", "ivec2"):
            return _TO[name]
        return vector("int", kind.axes) if name == "textureSize" else vector(kind.numbers, 4)


def _aliases(root: SyntaxNode) -> dict[str, str]:
    """Returns other names of types, those that macros give too, with the names that they have here."""
    found = dict(_SQUARE)
    for node in root.of_type(PlainMacro):
        kind = found.get(node.meaning.strip(), node.meaning.strip())
        if scalar_of(kind):
            found[node.name] = kind
    return found


def _number(text: str) -> str:
    text = text.lower().lstrip("+-")  # a sign belongs to a number behind some operators
    if text.isdigit() or text.startswith("0x"):
        return "int"
    return "uint" if text[:-1].isdigit() and text.endswith("u") else "float"


def _dimensions(array: SyntaxNode) -> int:
    """Returns how many sizes follow an array's name; 1 for a name alone."""
    inner = array.declarator if isinstance(array, ArrayDeclarator) else None
    return 1 + _dimensions(inner) if isinstance(inner, ArrayDeclarator) else 1
