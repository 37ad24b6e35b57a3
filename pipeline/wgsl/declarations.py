"""Writes what WGSL declares outside of functions in GLSL: structures, constants, resources, variables."""

from __future__ import annotations

from dataclasses import dataclass, field

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.wgsl.expressions import Expressions
from texelscope.pipeline.wgsl.numbers import number
from texelscope.pipeline.wgsl.scope import NameMeaning, Signature
from texelscope.pipeline.wgsl.statements import WrittenRow, zeroed
from texelscope.pipeline.wgsl.syntax import (
    AliasNode,
    AttributeNode,
    Declaration,
    FunctionNode,
    NameNode,
    NumberNode,
    ParameterNode,
    StructureNode,
    VariableNode,
    attribute_of,
)
from texelscope.pipeline.wgsl.types import (
    ArrayOf,
    MemberOf,
    NothingType,
    SamplerType,
    StructType,
    TextureType,
    Type,
    concrete,
    declared,
    is_abstract,
    scalar_of,
    zero,
)

_SAMPLERS = {"2d": "2D", "2d_array": "2DArray", "3d": "3D"}
_PREFIXES = {"f32": "", "i32": "i", "u32": "u"}


@dataclass
class Declarations:
    """Lets names mean what a text declares, and writes it; each kind in a list of its own."""

    expressions: Expressions
    types: list[WrittenRow] = field(default_factory=list)
    resources: list[WrittenRow] = field(default_factory=list)
    variables: list[WrittenRow] = field(default_factory=list)
    # Rows that set what a work group shares to 0 at the beginning (WGSL, 7.3), which GLSL does not.
    begun: list[str] = field(default_factory=list)

    def declare(self, node: Declaration) -> None:
        """Lets the name of a declaration mean it; those that it uses have been declared."""
        match node:
            case StructureNode():
                self._structure(node)
            case AliasNode():
                self.expressions.scope.aliases[node.name] = self.expressions.named(node.type)
            case FunctionNode():
                self._function(node)
            case VariableNode(keyword="const" | "let"):
                self._constant(node)
            case VariableNode(keyword="override"):
                self._override(node)
            case VariableNode(space="private"):
                self._private(node)
            case VariableNode(space="workgroup"):
                self._shared(node)
            case VariableNode():
                self._resource(node)

    def _structure(self, node: StructureNode) -> None:
        members = tuple(self._member(each) for each in node.members)
        self.expressions.scope.structures[node.name] = StructType(safe_name(node.name), members)
        last = members[-1].type if members else None
        if isinstance(last, ArrayOf) and last.count is None:
            return  # GLSL has such an array in a buffer alone
        parts = " ".join(f"{declared(each.type, safe_name(each.name))};" for each in members)
        self.types.append(WrittenRow(f"struct {safe_name(node.name)} {{ {parts} }};", node.row))

    def _member(self, node: ParameterNode) -> MemberOf:
        kind = self.expressions.named(node.type)
        align, size = (self._bytes(attribute_of(node.attributes, name)) for name in ("align", "size"))
        location = attribute_of(node.attributes, "location")
        where = None if location is None else self._bytes(location)
        return MemberOf(node.name, kind, align, size, builtin_of(node.attributes), where)

    def _bytes(self, attribute: AttributeNode | None) -> int:
        if attribute is None or len(attribute.arguments) != 1:
            return 0
        value = self.expressions.constant(attribute.arguments[0])
        return value if isinstance(value, int) else 0

    def _function(self, node: FunctionNode) -> None:
        result: Type = NothingType() if node.result is None else self.expressions.named(node.result)
        parameters = tuple(self.expressions.named(each.type) for each in node.parameters)
        name = safe_name(node.name)
        self.expressions.scope.functions[node.name] = Signature(name, parameters, result, node)

    def _constant(self, node: VariableNode) -> None:
        writer = self.expressions
        assert node.value is not None, "a constant has a value"
        kind = writer.named(node.type) if node.type is not None else writer.type_of(node.value)
        text = writer.text(node.value, None if is_abstract(kind) else kind)
        name = safe_name(node.name)
        writer.scope.symbols[node.name] = NameMeaning(kind, name, writer.constant(node.value), is_size=True)
        self.types.append(WrittenRow(f"const {declared(concrete(kind), name)} = {text};", node.row))

    def _override(self, node: VariableNode) -> None:
        """Writes a constant that the pipeline file may set by its name."""
        writer, name = self.expressions, safe_name(node.name)
        given = writer.scope.defines.get(node.name)
        if given is None and node.value is None:
            raise AuthorTextError(node.row, f"a value of {node.name}", "none", f"Set defines.{node.name}.")
        own = node.value if given is None else _literal(given, node)
        assert own is not None, "one of the two is given"
        typed = own if node.value is None else node.value
        kind = writer.named(node.type) if node.type is not None else concrete(writer.type_of(typed))
        scalar, value = scalar_of(kind), writer.constant(own)
        if given is None:
            text = writer.text(own, kind)
        elif scalar is None or value is None:
            raise AuthorTextError(node.row, f"a number of {node.name}", f"'{given}'", "Set a number.")
        else:
            text = number(value, scalar)
        writer.scope.symbols[node.name] = NameMeaning(kind, name, value, is_size=True)
        self.types.append(WrittenRow(f"const {declared(kind, name)} = {text};", node.row))

    def _private(self, node: VariableNode) -> None:
        writer, name = self.expressions, safe_name(node.name)
        kind = writer.named(node.type) if node.type is not None else None
        own = kind if kind is not None else concrete(writer.type_of(node.value)) if node.value is not None else None
        assert own is not None, "a variable has a type or a value"
        text = zero(own) if node.value is None else writer.text(node.value, own)
        writer.scope.symbols[node.name] = NameMeaning(own, name)
        self.variables.append(WrittenRow(f"{declared(own, name)} = {text};", node.row))

    def _shared(self, node: VariableNode) -> None:
        kind, name = self._typed(node), safe_name(node.name)
        self.expressions.scope.symbols[node.name] = NameMeaning(kind, name)
        self.variables.append(WrittenRow(f"shared {declared(kind, name)};", node.row))
        self.begun += zeroed(kind, name) if isinstance(kind, ArrayOf) else [f"{name} = {zero(kind)};"]

    def _typed(self, node: VariableNode) -> Type:
        assert node.type is not None or node.value is not None, "a variable has a type or a value"
        if node.type is None:
            raise AuthorTextError(node.row, f"a type of {node.name}", "none", "Add it.")
        return self.expressions.named(node.type)

    def _resource(self, node: VariableNode) -> None:
        kind, name = self._typed(node), safe_name(node.name)
        if node.space == "uniform":
            self._uniform(node, kind, name)
        elif node.space == "storage":
            self._buffer(node, kind, name)
        elif isinstance(kind, TextureType):
            self._texture(node, kind, name)
        elif isinstance(kind, SamplerType):
            self.expressions.scope.symbols[node.name] = NameMeaning(kind, name)
        else:
            raise AuthorTextError(
                node.row, "var<private>, var<workgroup>, var<storage> or var<uniform>", "var", "Say which one."
            )

    def _uniform(self, node: VariableNode, kind: Type, name: str) -> None:
        is_block = isinstance(kind, StructType)
        self.expressions.scope.symbols[node.name] = NameMeaning(kind, name, is_size=True, is_block=is_block)
        if isinstance(kind, StructType):
            parts = " ".join(f"{declared(each.type, safe_name(each.name))};" for each in kind.members)
            text = f"layout(std140) uniform {name}_block {{ {parts} }} {name};"
        else:
            text = f"uniform {declared(kind, name)};"
        self.resources.append(WrittenRow(text, node.row))

    def _buffer(self, node: VariableNode, kind: Type, name: str) -> None:
        """Writes a storage buffer as a block of its name without instance: `A[i]` is `A_elements[i]`."""
        head = f"layout(std430) {'' if node.access == 'read_write' else 'readonly '}buffer {name}"
        bare = name.rstrip("_")
        if isinstance(kind, StructType):
            self.expressions.scope.symbols[node.name] = NameMeaning(kind, bare, by_member=True)
            parts = " ".join(f"{declared(each.type, f'{bare}_{each.name}')};" for each in kind.members)
        else:
            elements = f"{bare}_{'elements' if isinstance(kind, ArrayOf) else 'value'}"
            self.expressions.scope.symbols[node.name] = NameMeaning(kind, elements)
            parts = f"{declared(kind, elements)};"
        self.resources.append(WrittenRow(f"{head} {{ {parts} }};", node.row))

    def _texture(self, node: VariableNode, kind: TextureType, name: str) -> None:
        prefix, form = _PREFIXES[kind.component.name], _SAMPLERS[kind.dimensions]
        self.expressions.scope.symbols[node.name] = NameMeaning(kind, name)
        if kind.texel_format:
            access = {"write": "writeonly ", "read": "readonly "}.get(kind.access, "")
            text = f"layout({kind.texel_format}) {access}uniform {prefix}image{form} {name};"
        else:
            text = f"uniform {prefix}sampler{form} {name};"
        self.resources.append(WrittenRow(text, node.row))


def builtin_of(attributes: tuple[AttributeNode, ...]) -> str:
    """Returns the name in `@builtin(name)`; empty without one."""
    found = attribute_of(attributes, "builtin")
    first = found.arguments[0] if found is not None and found.arguments else None
    return first.name if isinstance(first, NameNode) else ""


def _literal(text: str, node: VariableNode) -> NumberNode:
    """Returns a number that the pipeline file sets."""
    bare = text.strip()
    return NumberNode(node.row, bare)
