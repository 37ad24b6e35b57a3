"""GLSL types of expressions, as far as the text tells them: declarations, constructors, swizzles, functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

import tree_sitter

from texelscope.pipeline.glsl.syntax import (
    declared_name,
    function_around,
    function_called,
    function_name,
    parents,
    text_of,
    walk,
)

# Letters of lanes: of one vector all are of one of these.
ALPHABETS = ("xyzw", "rgba", "stpq")
_SCALARS = {"float": "", "int": "i", "uint": "u", "bool": "b"}
_VECTOR = re.compile(r"([iub]?)vec([234])")
_MATRIX = re.compile(r"mat([234])(?:x([234]))?")
# Types as they are written. The parser sees constructors of scalars in capitals (`constructors_as_calls`).
_NAMES = {kind.upper(): kind for kind in _SCALARS}
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


# What sizes are made with, and from how many others one after the other.
_OF_SIZES = frozenset({"textureSize", "imageSize", "INT", "FLOAT", "ivec2", "vec2", "ivec3", "min", "max"})
_STEPS = 3


def scalar_of(kind: str) -> str:
    """The scalar type of a scalar's, a vector's or a matrix's lanes; empty for anything else."""
    if kind in _SCALARS:
        return kind
    if (found := _VECTOR.fullmatch(kind)) is not None:
        return next(name for name, letter in _SCALARS.items() if letter == found[1])
    return "float" if _MATRIX.fullmatch(kind) else ""


def lanes_of(kind: str) -> int:
    """How many lanes a scalar or a vector has; 0 for anything else."""
    if kind in _SCALARS:
        return 1
    found = _VECTOR.fullmatch(kind)
    return int(found[2]) if found is not None else 0


def is_matrix(kind: str) -> bool:
    """Whether it is a matrix type."""
    return _MATRIX.fullmatch(kind) is not None


def is_in_a_table(node: tree_sitter.Node) -> bool:
    """Whether a node is one of many numbers beside one another: of a matrix, of a row of an array."""
    around = [each for each in parents(node) if each.type == "call_expression"]
    is_row = any(each.children[0].type == "subscript_expression" for each in around)
    return is_row or (bool(around) and is_matrix(function_called(around[0])))


def vector(scalar: str, lanes: int) -> str:
    """The type of so many lanes of a scalar type."""
    return scalar if lanes == 1 else f"{_SCALARS[scalar]}vec{lanes}"


class Types:
    """Types of the expressions of one parsed shader; empty where the text does not tell."""

    def __init__(self, root: tree_sitter.Node) -> None:
        """`root` was parsed from `constructors_as_calls`."""
        self._names: dict[tuple[str, str], str] = {}
        self._functions: dict[str, str] = {}
        # By how an expression reads that is a member of a block or structure, its type.
        self.members: dict[str, str] = {}
        self.macros: dict[str, str] = {}
        self.uniforms: set[str] = set()
        self.constants: set[str] = set()
        # Names in declarations of what may only be written, and of what the shader gives.
        self.written: set[str] = set()
        self.given: set[str] = set()
        self._structures: dict[str, dict[str, str]] = {}
        self._aliases = _aliases(root)
        self._root = root
        for node in walk(root):
            if node.type in ("declaration", "parameter_declaration"):
                self._declare(node)
            if node.type == "struct_specifier":
                self._structure(node)
            if node.type == "declaration":
                self._declare_members(node)
            elif node.type == "function_definition":
                kind, name = node.child_by_field_name("type"), function_name(node)
                known = self.written_as(kind)
                self._functions[name] = known if self._functions.get(name, known) == known else ""

    def written_as(self, kind: tree_sitter.Node | None) -> str:
        """The type that a declaration names, by the name that GLSL has for it; empty of none."""
        text = text_of(kind) if kind is not None else ""
        return self._aliases.get(text, text)

    def name(self, function: str, name: str) -> str:
        """The type of a variable seen from a function."""
        return self._names.get((function, name)) or self._names.get(("", name)) or _BUILT_IN.get(name, "")

    def at(self, node: tree_sitter.Node, name: str) -> str:
        """The type of a variable seen from a node."""
        return self.name(function_name(function_around(node)), name)

    def learn(self, name: str, kind: str, *, is_call: bool) -> None:
        """What a macro stands for."""
        if is_call:
            self._functions.setdefault(name, kind)
        else:
            self._names.setdefault(("", name), kind)
            self.macros[name] = kind

    def learn_parameter(self, function: str, name: str, kind: str) -> None:
        """What a macro is called with, by the function that its body stands in."""
        self._names.setdefault((function, name), kind)

    def learn_declarations(self, root: tree_sitter.Node) -> None:
        """What is declared in another tree, as in the body of a macro."""
        for node in walk(root):
            if node.type == "declaration":
                self._declare(node)

    def function(self, name: str) -> str:
        """What a function of the shader returns; empty for any other."""
        return self._functions.get(name, "")

    def visible(self, function: str) -> Iterator[tuple[str, str]]:
        """Name and type of what is declared in a function, or outside all."""
        return ((name, kind) for (where, name), kind in self._names.items() if where in (function, "") and kind)

    @cached_property
    def sizes(self) -> frozenset[str]:
        """Variables that are given once what is the same everywhere: sizes of textures, what is made of uniforms."""
        given: dict[str, list[tree_sitter.Node | None]] = {}
        for node in walk(self._root):
            if node.type in ("init_declarator", "parameter_declaration"):
                given.setdefault(declared_name(node), []).append(node.child_by_field_name("value"))
            elif node.type in ("assignment_expression", "update_expression"):
                target = node.child_by_field_name("left") or node.child_by_field_name("argument")
                name = next((text_of(each) for each in walk(target) if each.type == "identifier"), "") if target else ""
                given.setdefault(name, []).append(None)
        found: set[str] = set()
        for _ in range(_STEPS):
            found.update(name for name, values in given.items() if all(self._is_fixed(each, found) for each in values))
        return frozenset(found)

    def _is_fixed(self, value: tree_sitter.Node | None, sizes: set[str]) -> bool:
        """Whether a value is made of numbers, uniforms and constants alone."""
        known = self.uniforms | self.constants | {*self.macros} | sizes
        if value is None or scalar_of(self.of(value)) not in ("int", "float"):
            return False
        for node in walk(value):
            if node.type == "identifier" and text_of(node) not in known | _OF_SIZES and "sampler" not in self.of(node):
                return False
        return True

    def fields(self, kind: str) -> Mapping[str, str]:
        """Name and type of the fields of a structure; nothing of any other type."""
        return self._structures.get(kind, {})

    def of(self, node: tree_sitter.Node) -> str:
        """The type of an expression."""
        return _KINDS[node.type](self, node) if node.type in _KINDS else ""

    def _declare(self, node: tree_sitter.Node) -> None:
        if any(text_of(each) == "writeonly" for each in node.children):
            self.written.update(text_of(each) for each in walk(node) if each.type in ("identifier", "field_identifier"))
        kind = node.child_by_field_name("type")
        if kind is None:
            return
        function = function_name(function_around(node))
        for child in node.children_by_field_name("declarator"):
            inner = child.child_by_field_name("declarator") if child.type == "init_declarator" else child
            array = inner is not None and inner.type == "array_declarator"
            name = text_of(inner) if inner is not None and inner.type == "identifier" else declared_name(child)
            if inner is not None and array and child.type == "init_declarator":
                name = declared_name(child) or text_of(inner.children[0])
            known = self.written_as(kind) + "[]" * array * _dimensions(inner)
            before = self._names.get((function, name), known)
            self._names[function, name] = known if before == known else ""
            if any(each.type == "uniform" for each in node.children):
                self.uniforms.add(name)
            if not function and any(each.type == "out" for each in node.children):
                self.given.add(name)
            if not function and any(text_of(each) == "const" for each in node.children):
                self.constants.add(name)

    def _declare_members(self, node: tree_sitter.Node) -> None:
        """Of a block, whose members go by their own names where it has none, or of a structure declared in place."""
        structure = node.child_by_field_name("type")
        inside = structure if structure is not None and structure.type == "struct_specifier" else node
        fields = next((each for each in inside.named_children if each.type == "field_declaration_list"), None)
        if fields is None:
            return
        after = (
            each for each in node.named_children if each.type == "identifier" and each.start_byte > fields.end_byte
        )
        instance = next((text_of(each) for each in after), "")
        for field in fields.named_children:
            kind = field.child_by_field_name("type")
            for child in field.children_by_field_name("declarator"):
                array = child.type == "array_declarator"
                name = text_of(child.children[0]) if array else text_of(child)
                known = self.written_as(kind) + "[]" * array
                if instance:
                    self.members[f"{instance}.{name}"] = known
                else:
                    self._names["", name] = known

    def _structure(self, node: tree_sitter.Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            return
        fields = self._structures.setdefault(text_of(name), {})
        for field in body.named_children:
            kind = field.child_by_field_name("type")
            for child in field.children_by_field_name("declarator"):
                if kind is not None and child.type == "field_identifier":
                    fields[text_of(child)] = self.written_as(kind)

    def _identifier(self, node: tree_sitter.Node) -> str:
        return self.name(function_name(function_around(node)), text_of(node))

    def _number(self, node: tree_sitter.Node) -> str:
        text = text_of(node).lower().lstrip("+-")  # a sign belongs to a number behind some operators
        if text.isdigit() or text.startswith("0x"):
            return "int"
        return "uint" if text[:-1].isdigit() and text.endswith("u") else "float"

    def _inner(self, node: tree_sitter.Node) -> str:
        return self.of(node.named_children[0]) if node.named_child_count == 1 else ""

    def _unary(self, node: tree_sitter.Node) -> str:
        operand = node.child_by_field_name("argument")
        return self.of(operand) if operand is not None else ""

    def _binary(self, node: tree_sitter.Node) -> str:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node.child_by_field_name("operator")
        if left is None or right is None or sign is None:
            return ""
        if sign.type in _COMPARISONS:
            return "bool"
        first, second = self.of(left), self.of(right)
        if not first or not second:
            return ""
        if first == second or lanes_of(second) == 1:
            return first
        if lanes_of(first) == 1:
            return second
        if sign.type == "*" and is_matrix(first) != is_matrix(second) and "x" not in first + second:
            return second if is_matrix(first) else first
        return ""

    def _conditional(self, node: tree_sitter.Node) -> str:
        consequence = node.child_by_field_name("consequence")
        return self.of(consequence) if consequence is not None else ""

    def _field(self, node: tree_sitter.Node) -> str:
        base, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if base is None or field is None:
            return ""
        if (member := self.members.get(text_of(node))) is not None:
            return member
        own = self.of(base)
        if own in self._structures:
            return self._structures[own].get(text_of(field), "")
        scalar, letters = scalar_of(own), text_of(field)
        return vector(scalar, len(letters)) if scalar and len(letters) <= 4 else ""

    def _subscript(self, node: tree_sitter.Node) -> str:
        base = node.child_by_field_name("argument")
        kind = self.of(base) if base is not None else ""
        if kind.endswith("[]"):
            return kind[:-2]
        if (found := _MATRIX.fullmatch(kind)) is not None:
            return f"vec{found[2] or found[1]}"
        return scalar_of(kind) if lanes_of(kind) > 1 else ""

    def _call(self, node: tree_sitter.Node) -> str:
        name, arguments = function_called(node), node.child_by_field_name("arguments")
        name = self._aliases.get(name, _NAMES.get(name, name))
        if scalar_of(name):
            return name
        if name in self._functions:
            return self._functions[name]
        if name in self._structures:
            return name
        if name in _TO:
            return _TO[name]
        given = arguments.named_children if arguments is not None else []
        if not given:
            return ""
        if name == "step":
            return self.of(given[-1])
        if name in _COMPARED:
            lanes = lanes_of(self.of(given[0]))
            return vector("bool", lanes) if lanes else ""
        return self.of(given[0]) if name in _LIKE_FIRST else ""


def _aliases(root: tree_sitter.Node) -> dict[str, str]:
    """Other names that macros give to types, with what GLSL calls these."""
    found: dict[str, str] = {}
    for node in walk(root):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if node.type == "preproc_def" and name is not None and value is not None:
            body = text_of(value).partition("//")[0].strip()
            kind = found.get(body, body)
            if scalar_of(kind):
                found[text_of(name)] = kind
    return found


def _dimensions(array: tree_sitter.Node | None) -> int:
    """How many sizes an array's name is followed by; 1 of a name alone."""
    inner = array.child_by_field_name("declarator") if array is not None else None
    return 1 + _dimensions(inner) if inner is not None and inner.type == "array_declarator" else 1


_KINDS = {
    "identifier": Types._identifier,
    "number_literal": Types._number,
    "true": lambda _types, _node: "bool",
    "false": lambda _types, _node: "bool",
    "parenthesized_expression": Types._inner,
    "unary_expression": Types._unary,
    "update_expression": Types._unary,
    "binary_expression": Types._binary,
    "conditional_expression": Types._conditional,
    "field_expression": Types._field,
    "subscript_expression": Types._subscript,
    "call_expression": Types._call,
}
