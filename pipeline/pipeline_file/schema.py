"""Reads a pipeline file as data, before anything that it names is looked up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast, get_args

from texelscope import layouts
from texelscope.layouts import Layout
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.frames import PER_SECOND
from texelscope.pipeline.front_ends.languages import SUFFIXES, language_of
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.operators.conventions import check_convention
from texelscope.pipeline.pipeline_file.atlases import AtlasEntry, read_atlas, read_layout
from texelscope.pipeline.pipeline_file.compute_pass import KEYS as COMPUTE_KEYS
from texelscope.pipeline.pipeline_file.compute_pass import ComputeEntry, bound_tensor, read_compute, read_constants
from texelscope.pipeline.pipeline_file.includes import Define
from texelscope.pipeline.pipeline_file.quantized import KEYS as QUANTIZED
from texelscope.pipeline.pipeline_file.quantized import read_quantization
from texelscope.pipeline.pipeline_file.table import Problems, Table
from texelscope.pipeline.pipeline_file.tensor_uniforms import read_uniforms
from texelscope.pipeline.plan import Filter, Storage, Tolerance, Wrap
from texelscope.pipeline.quantization import Quantization
from texelscope.pipeline.quotas import QuotaError, hold

STORAGES: tuple[Storage, ...] = get_args(Storage)
# Types of tensors that integer samplers read; their own textures hold floats.
WHOLE_DTYPES = ("int32", "uint32")
FILTERS: tuple[Filter, ...] = get_args(Filter)
WRAPS: tuple[Wrap, ...] = get_args(Wrap)

_VERSION = re.compile(r"1[0-5]0|[34][0-6]0|(?:300|310|320) es|[34][0-6]0 (?:core|compatibility)")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_TOP = ("pipeline", "atlas", "input", "constant", "pass")
_PIPELINE = ("name", "model", "oracle", "conventions", "gradients", "wrt", "frames", "frames_per_second")
_INPUT = ("name", "shape", "layout", "dtype", *QUANTIZED, "source", "oracle")
_CONSTANT = ("name", "source", "shape", "layout", "dtype", *QUANTIZED)
_PASS = (
    "name", "shader", "entry", "vertex", "version", "oracle", "output", "textures", "uniforms", "defines", "tolerance",
    *COMPUTE_KEYS,
)  # fmt: skip
# The layout of a buffer by default.
LINEAR = layouts.layout("linear")
_OUTPUT = ("name", "shape", "layout", "dtype", *QUANTIZED, "oracle")
_TEXTURE = ("tensor", "previous", "first", "layout", "filter", "wrap", "dtype", "size", *QUANTIZED)


@dataclass(frozen=True)
class TensorEntry:
    """Describes a tensor in a texture: an `[[input]]`, a `[[constant]]` or an output.

    `oracle` is its name in the model or the oracle file, None where the file gives none. `dtype` is as the file gives
    it, empty where it does not.
    """

    name: str
    title: str
    shape: Shape | None
    layout: Layout | None
    storage: Storage
    source: str | None = None
    oracle: str | None = None
    dtype: str = ""
    quantization: Quantization | None = None


@dataclass(frozen=True)
class TextureEntry:
    """The binding of a sampler uniform; `layout`, `storage` and `dtype` only where the file gives them, `size` unread.

    `storage` is None of a dtype of whole numbers. `previous` names the tensor of the frame before that `tensor` holds,
    and `first` what it holds in frame 0. A sampler of several tensors in one atlas has an entry for each, by `number`.
    """

    uniform: str
    tensor: str
    layout: Layout | None = None
    storage: Storage | None = None
    filter: Filter = "nearest"
    wrap: Wrap = "clamp_to_edge"
    dtype: str = ""
    size: Any = None
    previous: str = ""
    first: str = ""
    quantization: Quantization | None = None
    number: int = 0

    @property
    def name(self) -> str:
        """A name of the binding: the sampler's, for the first tensor."""
        return f"{self.uniform}[{self.number}]" if self.number else self.uniform

    @property
    def key(self) -> str:
        """Its key in the file."""
        return f"textures.{self.name}"


@dataclass(frozen=True)
class PassEntry:
    """A `[[pass]]`. `uniforms` hold the raw values; `outputs` has one entry a colour attachment.

    `compute` holds the rest where its shader is a compute shader, and `constants` Vulkan's where it is not. `version`
    is that of a text without `#version`, and `entry_point` the function of a text of another language that runs.
    """

    name: str
    title: str
    shader: str | None
    vertex: str | None
    outputs: tuple[TensorEntry, ...]
    textures: tuple[TextureEntry, ...]
    uniforms: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    defines: Mapping[str, Define] = field(default_factory=lambda: MappingProxyType({}))
    tolerance: Tolerance | None = None
    compute: ComputeEntry | None = None
    constants: ComputeEntry | None = None
    version: str = ""
    entry_point: str = ""

    @property
    def bound_names(self) -> frozenset[str]:
        """The names, in the shader, of the samplers, blocks and images that the file binds."""
        blocks = self.compute.bound.values() if self.compute is not None else ()
        return frozenset((*(each.uniform for each in self.textures), *(each.name for each in blocks)))


@dataclass(frozen=True)
class PipelineEntries:
    """Holds the whole file."""

    name: str
    model: str | None
    oracle: str | None
    inputs: tuple[TensorEntry, ...]
    constants: tuple[TensorEntry, ...]
    passes: tuple[PassEntry, ...]
    conventions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    gradients: str = ""
    wrt: tuple[str, ...] = ()
    frames: int = 1
    per_second: float = PER_SECOND
    atlases: tuple[AtlasEntry, ...] = ()

    @property
    def dtypes(self) -> Mapping[str, str]:
        """The dtypes that the file gives, by tensor."""
        outputs = (output for each in self.passes for output in each.outputs)
        return {entry.name: entry.dtype for entry in (*self.inputs, *self.constants, *outputs) if entry.dtype}


def read(values: Mapping[str, Any], problems: Problems, default_name: str) -> PipelineEntries:
    """Returns the file's entries; their problems are added to `problems`."""
    top = Table(values, "", problems)
    top.check_keys(_TOP)
    head = top.table("pipeline") or Table({}, "[pipeline]", problems)
    head = Table(head.values, "[pipeline]", problems)
    head.check_keys(_PIPELINE)
    entries = PipelineEntries(
        name=head.text("name") or default_name,
        model=head.text("model"),
        oracle=head.text("oracle"),
        inputs=tuple(_tensor(table, _INPUT) for table in _entries(values, "input", problems)),
        constants=tuple(_tensor(table, _CONSTANT) for table in _entries(values, "constant", problems)),
        passes=tuple(_pass(table) for table in _entries(values, "pass", problems)),
        conventions=_conventions(head),
        gradients=head.text("gradients") or "",
        wrt=head.texts("wrt"),
        frames=_frames(head),
        per_second=_per_second(head),
        atlases=tuple(filter(None, map(read_atlas, _entries(values, "atlas", problems)))),
    )
    tables = [atlas.title for atlas in entries.atlases]
    tables += [entry.title for entry in (*entries.inputs, *entries.constants)]
    tables += [entry.title for entry in entries.passes]
    problems.order_by(["[pipeline]", *(f"[[{key}]]" for key in _TOP[1:]), *tables])
    if entries.model and entries.oracle:
        head.problem("oracle", "either model or oracle", "both", "Keep one; weights can be [[constant]] tables.")
    if "conventions" in head.values and not entries.model:
        head.problem("conventions", "a 'model' that they are about", "none", "Remove them, or name the model.")
    if "gradients" in head.values and not entries.model:
        head.problem("gradients", "a 'model' that they are of", "none", "Remove it, or name the model.")
    if "wrt" in head.values and "gradients" not in head.values:
        head.problem("wrt", "'gradients' beside it", "none", "Say what the gradients are of.")
    if not entries.passes and "pass" not in values:
        problems.add("", "", "at least one [[pass]]", "none", "Add one with name, shader and output.")
    return entries


def _frames(head: Table) -> int:
    """Returns the frames of a whole run. Raises QuotaError for more than the limit."""
    count = head.values.get("frames", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        head.problem("frames", "a whole number from 1 on", f"{count!r}", "For example frames = 60.")
        return 1
    try:
        hold("", "frames", count)
    except QuotaError as error:
        head.problem("frames", error.expected, error.got, error.do_next)
        return 1
    return count


def _per_second(head: Table) -> float:
    value = head.number("frames_per_second")
    if value == 0.0:
        head.problem("frames_per_second", "a number above 0", "0", "For example frames_per_second = 60.")
    return value or PER_SECOND


def _conventions(head: Table) -> Mapping[str, str]:
    """Returns operator type → the convention that its nodes follow, those that are known."""
    inner = head.table("conventions")
    found: dict[str, str] = {}
    for op_type in inner.values if inner is not None else ():
        assert inner is not None
        name = inner.text(op_type)
        if name is None:
            continue
        try:
            check_convention(op_type, name)
        except TexelscopeError as error:
            inner.problem(op_type, error.expected, error.got, error.do_next)
        else:
            found[op_type] = name
    return MappingProxyType(found)


def _entries(values: Mapping[str, Any], key: str, problems: Problems) -> list[Table]:
    """Returns the tables of `[[key]]`, each titled by its name, or by its number where it has none."""
    found = values.get(key, [])
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        got = "a single table" if isinstance(found, dict) else f"{found!r}"
        problems.add(f"[[{key}]]", "", "an array of tables", got, f"Write [[{key}]] with two brackets.")
        return []
    tables = []
    for number, item in enumerate(found, 1):
        name = item.get("name")
        title = f"[[{key}]] '{name}'" if isinstance(name, str) and name else f"[[{key}]] number {number}"
        tables.append(Table(item, title, problems))
    return tables


def _tensor(table: Table, keys: tuple[str, ...]) -> TensorEntry:
    table.check_keys(keys)
    is_constant = keys is _CONSTANT
    dtype = table.choice("dtype", (*STORAGES, *WHOLE_DTYPES), "")
    return TensorEntry(
        name=table.text("name", required=True) or "",
        title=table.title,
        shape=table.shape("shape", required=not is_constant),
        layout=read_layout(table, "layout"),
        storage=dtype if dtype in STORAGES else "float32",
        source=table.text("source", required=is_constant),
        oracle=None if is_constant else table.text("oracle"),
        dtype=dtype,
        quantization=read_quantization(table, dtype),
    )


def _pass(table: Table) -> PassEntry:
    table.check_keys(_PASS)
    name, shader = table.text("name", required=True) or "", table.text("shader", required=True)
    compute, own = read_compute(table, shader), table.table("uniforms")
    entry = PassEntry(
        name=name,
        title=table.title,
        shader=shader,
        vertex=table.text("vertex") if compute is None else None,
        outputs=_outputs(table, name, None if compute is None else LINEAR),
        textures=_textures(table),
        uniforms=MappingProxyType({} if own is None else dict(read_uniforms(own))),
        defines=_defines(table),
        tolerance=_tolerance(table),
        compute=compute,
        constants=read_constants(table) if compute is None else None,
        version=_version(table),
        entry_point=_entry_point(table, shader),
    )
    return entry if shader is None or language_of(shader) is None else _with_safe_names(entry)


def _with_safe_names(entry: PassEntry) -> PassEntry:
    """Returns the entry with the names that what it binds has in the GLSL of another language's shader."""
    compute = entry.compute
    if compute is not None:
        buffers = tuple(replace(each, name=safe_name(each.name)) for each in compute.buffers)
        images = tuple(replace(each, name=safe_name(each.name)) for each in compute.images)
        push = MappingProxyType({safe_name(key): value for key, value in compute.push.items()})
        compute = replace(compute, buffers=buffers, images=images, push=push)
    textures = tuple(replace(each, uniform=safe_name(each.uniform)) for each in entry.textures)
    uniforms = {".".join(map(safe_name, key.split("."))): value for key, value in entry.uniforms.items()}
    return replace(entry, compute=compute, textures=textures, uniforms=MappingProxyType(uniforms))


def _entry_point(table: Table, shader: str | None) -> str:
    """Returns the function of a shader that runs, where its language has several."""
    name = table.text("entry") or ""
    if name and shader is not None and language_of(shader) is None:
        expected = f"a shader with entry points ({', '.join(SUFFIXES)})"
        table.problem("entry", expected, f"'{shader}'", "Remove it: GLSL begins at main.")
    return name


def _version(table: Table) -> str:
    """Returns the version of a text without `#version`, as in its directive."""
    version = table.text("version") or ""
    if version and not _VERSION.fullmatch(version):
        table.problem("version", "a version of GLSL", f"'{version}'", 'For example version = "300 es".')
        return ""
    return version


def _outputs(table: Table, name: str, default: Layout | None) -> tuple[TensorEntry, ...]:
    oracle = table.text("oracle")
    outputs = []
    tables = table.tables("output", required=True) or []
    for number, inner in enumerate(tables):
        inner.check_keys(_OUTPUT)
        dtype = inner.choice("dtype", STORAGES, "")
        outputs.append(
            TensorEntry(
                name=inner.text("name", required=number > 0) or (name if number == 0 else ""),
                title=table.title,
                shape=inner.shape("shape"),
                layout=read_layout(inner, "layout", required=default is None) or default,
                storage=cast(Storage, dtype or "float32"),
                oracle=inner.text("oracle") or (oracle if number == 0 else None),
                dtype=dtype,
                quantization=read_quantization(inner, dtype),
            )
        )
    return tuple(outputs)


def _textures(table: Table) -> tuple[TextureEntry, ...]:
    inner = table.table("textures")
    if inner is None:
        return ()
    found = []
    for uniform, value in inner.values.items():
        if not isinstance(value, list):
            found += _texture(inner, uniform, uniform, 0)
            continue
        if not value:
            inner.problem(uniform, "the tensors of an atlas", "none", 'For example ["image", "weights"].')
        several = inner.inner({f"{uniform}[{number}]": each for number, each in enumerate(value)})
        for number, name in enumerate(several.values):
            found += _texture(several, name, uniform, number)
    return tuple(found)


def _texture(table: Table, key: str, uniform: str, number: int) -> list[TextureEntry]:
    """Returns what one key says of a sampler: a tensor's name, or a table."""
    if isinstance(table.values[key], str):
        return [TextureEntry(uniform, table.text(key, described="a tensor's name") or "", number=number)]
    texture = table.table(key)
    if texture is None:
        return []
    texture.check_keys(_TEXTURE)
    tensor, previous, first = bound_tensor(texture)
    dtype = texture.choice("dtype", (*STORAGES, *WHOLE_DTYPES), "")
    made = TextureEntry(
        uniform,
        tensor,
        read_layout(texture, "layout", required=False),
        dtype if dtype in STORAGES else None,
        cast(Filter, texture.choice("filter", FILTERS, "nearest")),
        cast(Wrap, texture.choice("wrap", WRAPS, "clamp_to_edge")),
        dtype,
        texture.values.get("size"),
        previous,
        first,
        read_quantization(texture, dtype),
        number,
    )
    return [made]


def _defines(table: Table) -> Mapping[str, Define]:
    inner = table.table("defines")
    found: dict[str, Define] = {}
    for name, value in (inner.values if inner is not None else {}).items():
        assert inner is not None
        if not _IDENTIFIER.fullmatch(name) or name.startswith("GL_") or "__" in name:
            inner.problem(name, "a name that GLSL takes", f"'{name}'", "Letters, digits and single underscores.")
        elif not isinstance(value, str | int | float | bool):
            inner.problem(name, "a string, a number, true or false", f"{value!r}", "Change its type.")
        elif isinstance(value, str) and ("\n" in value or value.endswith("\\")):
            inner.problem(name, "a single line", f"{value!r}", "Put longer text into an included file.")
        else:
            found[name] = value
    return MappingProxyType(found)


def _tolerance(table: Table) -> Tolerance | None:
    inner = table.table("tolerance")
    if inner is None:
        return None
    inner.check_keys(("rtol", "atol"))
    return Tolerance(inner.number("rtol") or 0.0, inner.number("atol") or 0.0)
