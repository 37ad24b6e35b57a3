"""Builds the form of passes along the rows of a tensor: a draw for what each row has once, and one for the elements.

The first computes totals of rows, a fragment for each row, or for four rows of as many channels; the second reads them
and computes each element in its own texel. Nothing in between is stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from texelscope.layouts.channel_tiles_rgba import ChannelTilesRgba
from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.lowerings.elements import LANE, Elements, ElementWriter, in_lanes
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep, Scratch
from texelscope.pipeline.lowerings.product_finish import packed_rows
from texelscope.pipeline.lowerings.row_steps import RowStep, Total
from texelscope.pipeline.lowerings.sums import draw_size
from texelscope.pipeline.lowerings.text import VERSION, shape_block
from texelscope.pipeline.plan import ProgramSource, StoredTensor

# What the first draw hands to the second: lanes of a texel, or layers of a texture.
MOST_TOTALS = 4
_TOTALS = "totals"
# Up to here the row of a texel is found with floating-point numbers without error.
_MOST_TEXELS = 1 << 21
# A fold: the value to begin with, and how an element is taken in.
_FOLDS: Mapping[str, tuple[str, str]] = {
    "sum": ("0.0", "({0} + {1})"),
    "largest": ("-uintBitsToFloat(0x7f800000u)", "greater_of({0}, {1})"),
    "smallest": ("uintBitsToFloat(0x7f800000u)", "lesser_of({0}, {1})"),
}


@dataclass(frozen=True)
class RowProgram:
    """Holds steps along rows, in order, from the tensors `reads` to the last step's `output`, all of one arrangement.

    `per_row` are keys of values that each row has once. `known` are operands of one number each, `constants` those with
    a number for each place of a row.
    """

    steps: tuple[RowStep, ...]
    reads: tuple[str, ...]
    per_row: frozenset[str]
    known: Mapping[str, float] = field(default_factory=dict)
    constants: tuple[str, ...] = ()

    @property
    def output(self) -> str:
        """The key of the result."""
        return self.steps[-1].output

    def needed(self, key: str) -> list[Elements]:
        """Returns the steps that compute an element of the tensor from what is read and what rows have, in order."""
        wanted, found = {key}, []
        for step in reversed(self.steps):
            if step.output in wanted and step.output not in self.per_row and isinstance(step, Elements):
                found.append(step)
                wanted.update(step.operands)
        return found[::-1]

    def handed_on(self) -> tuple[str, ...]:
        """Returns keys of the values of rows that the elements of the output are computed from."""
        operands = dict.fromkeys(key for step in self.needed(self.output) for key in step.operands)
        return tuple(key for key in operands if key in self.per_row)


def has_rows(stored: StoredTensor) -> bool:
    """Reports whether the form can read rows of the tensor: in whole texels, or one element in each lane of a texel."""
    if stored.dtype != "float32" or stored.storage != "float32" or not stored.shape:
        return False
    if stored.texture_shape[0] * stored.texture_shape[1] > _MOST_TEXELS:
        return False
    if isinstance(stored.layout, RowMajorRgba):
        return stored.shape[-1] % 4 == 0
    return isinstance(stored.layout, ChannelTilesRgba) and len(stored.shape) == len("nchw")


def row_form(program: RowProgram, covers: Sequence[str], textures: Mapping[str, StoredTensor]) -> Lowering:
    """Returns the two draws, in place of the passes it `covers`."""
    y = textures[program.output]
    rows = _FlatRows(y) if isinstance(y.layout, RowMajorRgba) else _TiledRows(y)
    writer = _Writer(program, rows)
    size = draw_size(rows.count)
    scratch = Scratch(_TOTALS, size[1], size[0], layers=0 if rows.is_scalar else len(program.handed_on()))
    first = LoweringStep(
        program=ProgramSource(writer.totals(size[0]), ()),
        size=(*size, 1),
        textures=program.reads,
        images=(),
        packed=packed_rows(program.constants, y.shape[-1]),
        shape=shape_block([(rows.texels, 0, 0, 0)], ()),
        targets=(_TOTALS,),
    )
    height, width = y.texture_shape
    second = LoweringStep(
        program=ProgramSource(writer.elements(size), ()),
        size=(width, height, 1),
        textures=(*program.reads, _TOTALS),
        images=(),
        packed=packed_rows(program.constants, y.shape[-1]),
        targets=(program.output,),
    )
    return Lowering(tuple(covers), program.reads, (program.output,), (first, second), (scratch,))


@dataclass(frozen=True)
class _FlatRows:
    """Says where rows lie if each is so many texels of a flat layout: their values are one number each."""

    y: StoredTensor
    is_scalar = True

    @property
    def texels(self) -> int:
        """Texels of a row."""
        return self.y.shape[-1] // 4

    @property
    def count(self) -> int:
        """Counts the rows."""
        n, c, h, _ = as_nchw(self.y.shape)
        return n * c * h

    def place(self) -> str:
        """Returns the function from a row and a texel of it to a place in the texture, from 0 to 1."""
        height, width = self.y.texture_shape
        return (
            "vec2 place_of(float row, int k) {\n"
            f"    float i = row * {literal(float(self.texels))} + float(k) + 0.5;\n"
            f"    float y = floor(i * {literal(1 / width)});\n"
            f"    return vec2(i - y * {literal(float(width))}, y + 0.5)"
            f" * vec2({literal(1 / width)}, {literal(1 / height)});\n}}"
        )

    def own(self) -> list[str]:
        """Returns statements for `row`, `k` and the lanes with elements, `is_inside`, from the fragment's place."""
        _, width = self.y.texture_shape
        texels = literal(float(self.texels))
        return [
            f"    float i = floor(gl_FragCoord.y) * {literal(float(width))} + gl_FragCoord.x;",
            f"    float row = floor(i * {literal(1 / self.texels)});",
            f"    int k = int(i - row * {texels});",
            f"    bvec4 is_inside = bvec4(row < {literal(float(self.count))});",
        ]


@dataclass(frozen=True)
class _TiledRows:
    """Says where rows lie if each lane of a texel is one of a channel: values of rows are those of four channels.

    A row of the texture holds one row of each tile. Rows of unused tiles count too.
    """

    y: StoredTensor
    is_scalar = False

    @property
    def texels(self) -> int:
        """Texels of a row."""
        return self.y.shape[-1]

    @property
    def count(self) -> int:
        """Counts the rows of all tiles."""
        height, width = self.y.texture_shape
        return height * (width // self.texels)

    def place(self) -> str:
        """Returns the function from a row and a texel of it to a place in the texture, from 0 to 1."""
        height, width = self.y.texture_shape
        return (
            "vec2 place_of(float row, int k) {\n"
            f"    float tile = floor((row + 0.5) * {literal(1 / height)});\n"
            f"    vec2 corner = vec2(tile * {literal(float(self.texels))}, row - tile * {literal(float(height))});\n"
            f"    return (corner + vec2(k, 0.0) + 0.5) * vec2({literal(1 / width)}, {literal(1 / height)});\n}}"
        )

    def own(self) -> list[str]:
        """Returns statements for `row`, `k` and the lanes with elements, `is_inside`, from the fragment's place."""
        n, channels, tall, _ = self.y.shape
        height, _ = self.y.texture_shape
        groups = ceil_div(channels, 4)
        columns = Grid.of(n * groups).columns
        return [
            f"    float column = floor(gl_FragCoord.x * {literal(1 / self.texels)});",
            f"    float row = column * {literal(float(height))} + floor(gl_FragCoord.y);",
            f"    int k = int(gl_FragCoord.x - column * {literal(float(self.texels))});",
            f"    int tile = int(floor(gl_FragCoord.y * {literal(1 / tall)})) * {columns} + int(column);",
            f"    int channel = 4 * (tile % {groups});",
            f"    bvec4 is_inside = lessThan(channel + ivec4(0, 1, 2, 3), ivec4({channels}));",
            f"    is_inside = bvec4(ivec4(is_inside) * int(tile < {n * groups}));",
        ]


@dataclass(frozen=True)
class _Writer:
    """Writes both programs, without names of the passes, so that those of several layers share them."""

    program: RowProgram
    rows: _FlatRows | _TiledRows

    def totals(self, width: int) -> str:
        """Returns the program of the first draw, of that width: `Y`, or `Y0`, `Y1` … for the values handed on."""
        program, writer = self.program, ElementWriter()
        values = {key: literal(value) for key, value in program.known.items()}
        body = [
            f"    float row = min(floor(gl_FragCoord.y) * {literal(float(width))} + floor(gl_FragCoord.x),"
            f" {literal(float(self.rows.count - 1))});"
        ]
        for i, step in enumerate(program.steps):
            if isinstance(step, Total):
                body += self._total(i, step, values, writer)
            elif step.output in program.per_row:
                text = writer.formula(step, values)
                body.append(
                    f"    float r{i} = {text};" if self.rows.is_scalar else f"    vec4 r{i} = {in_lanes(text)};"
                )
                values[step.output] = self._row_value(f"r{i}")
        handed = [values[key].removesuffix(LANE) for key in program.handed_on()]
        if self.rows.is_scalar:
            outputs = ["layout(location = 0) out vec4 Y;"]
            body.append(f"    Y = vec4({', '.join([*handed, *['0.0'] * (MOST_TOTALS - len(handed))])});")
        else:
            outputs = [f"layout(location = {i}) out vec4 Y{i};" for i in range(len(handed))]
            body += [f"    Y{i} = {value};" for i, value in enumerate(handed)]
        block = "layout(std140, binding = 0) uniform Shape {\n    ivec4 u_row; // texels of a row\n};"
        title = "The totals of each row: a fragment adds up one row, or four of as many channels"
        return self._text(title, [*self._samplers(()), block, *outputs], writer, body)

    def elements(self, size: tuple[int, int]) -> str:
        """Returns the program of the second draw, which reads the first's texture of that width and height."""
        program, writer = self.program, ElementWriter()
        values = {key: literal(value) for key, value in program.known.items()}
        width, height = size
        body = [*self.rows.own(), f"    float from = floor((row + 0.5) * {literal(1 / width)});"]
        at = f"vec2(row - from * {literal(float(width))} + 0.5, from + 0.5)"
        body.append(f"    vec2 place = {at} * vec2({literal(1 / width)}, {literal(1 / height)});")
        for i, key in enumerate(program.handed_on()):
            if self.rows.is_scalar:
                body += ["    vec4 totals = textureLod(t_T, place, 0.0);"] if i == 0 else []
                values[key] = f"totals.{'xyzw'[i]}"
            else:
                body.append(f"    vec4 r{i} = textureLod(t_T, vec3(place, {literal(float(i))}), 0.0);")
                values[key] = f"r{i}{LANE}"
        body += self._element(program.output, values, writer, "    ")
        body.append(f"    Y = mix(vec4(0.0), {values[program.output].removesuffix(LANE)}, is_inside);")
        kind = "sampler2D" if self.rows.is_scalar else "sampler2DArray"
        head = [*self._samplers((f"uniform {kind} t_T;",)), "layout(location = 0) out vec4 Y;"]
        return self._text("Each element, from its row's totals", head, writer, body)

    def _total(self, i: int, step: Total, values: dict[str, str], writer: ElementWriter) -> list[str]:
        """Returns statements for the total of a row, `r0` for step number 0."""
        start, fold = _FOLDS[step.fold]
        writer.call_all(fold)
        inner = dict(values)
        element = self._element(step.value, inner, writer, "        ")
        taken = in_lanes(fold.format(f"a{i}{LANE}", inner[step.value]))
        lines = [
            f"    vec4 a{i} = vec4({start});",
            "    for (int k = 0; k < u_row.x; k++) {",
            *element,
            f"        a{i} = {taken};",
            "    }",
        ]
        total = f"a{i}"
        if self.rows.is_scalar:
            pairs = fold.format(f"a{i}.x", f"a{i}.y"), fold.format(f"a{i}.z", f"a{i}.w")
            total = fold.format(*pairs)
        divided = f"{total} / {literal(step.divisor)}" if step.divisor != 1.0 else total
        lines.append(f"    {'float' if self.rows.is_scalar else 'vec4'} r{i} = {divided};")
        values[step.output] = self._row_value(f"r{i}")
        return lines

    def _row_value(self, name: str) -> str:
        return name if self.rows.is_scalar else f"{name}{LANE}"

    def _element(self, key: str, values: dict[str, str], writer: ElementWriter, indent: str) -> list[str]:
        """Returns statements for an element of the tensor, in the texel number `k` of a row."""
        program, lines = self.program, []
        steps = program.needed(key)
        used = {operand for step in steps for operand in step.operands} | {key}
        read = [other for other in program.reads if other in used]
        if read:
            lines.append(f"{indent}vec2 here = place_of(row, k);")
        for other in read:
            i = program.reads.index(other)
            lines.append(f"{indent}vec4 x{i} = textureLod(t_X{i}, here, 0.0);")
            values[other] = f"x{i}{LANE}"
        for i, other in enumerate(program.constants):
            if other in used:
                lines.append(f"{indent}vec4 p{i} = texelFetch(t_P, k * {len(program.constants)} + {i});")
                values[other] = f"p{i}{LANE}"
        for i, step in enumerate(steps):
            lines.append(f"{indent}vec4 v{i} = {in_lanes(writer.formula(step, values))};")
            values[step.output] = f"v{i}{LANE}"
        return lines

    def _samplers(self, more: Sequence[str]) -> list[str]:
        names = [*(f"uniform sampler2D t_X{i};" for i in range(len(self.program.reads))), *more]
        if self.program.constants:
            names.append("uniform samplerBuffer t_P;")
        return [f"layout(binding = {unit}) {name}" for unit, name in enumerate(names)]

    def _text(self, title: str, head: Sequence[str], writer: ElementWriter, body: Sequence[str]) -> str:
        parts = [VERSION, f"// {title}", *head, *writer.functions, self.rows.place(), "void main() {", *body, "}"]
        return "\n".join(parts) + "\n"
