"""The one place that knows how the code under test is called: what it makes of a shader, as canonical lines.

No line has a class's name in it or a record as Python prints it, only texts, lines and numbers that an author can see.
A refusal is written as `refused` with its place; what it says is among the lines of `refusals_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any

from tests.parsed_shaders.shader import File, Shader
from texelscope.pipeline.compare.repairs import LineEdit, Repair
from texelscope.pipeline.device import Limits
from texelscope.pipeline.diagnose.evidence.variants import in_full_precision, moved_reads, with_barriers
from texelscope.pipeline.dialects.mpv.build import build, input_of
from texelscope.pipeline.dialects.mpv.network.of_plan import network_of_plan
from texelscope.pipeline.dialects.mpv.parse import parse as parse_mpv
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.gl.dispatching.held import held_inside, shares_memory
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import line_map
from texelscope.pipeline.glsl.macros import MacroError, expand_all
from texelscope.pipeline.glsl.ncnn.modes import MODES, NcnnMode
from texelscope.pipeline.glsl.ncnn.translation import translated
from texelscope.pipeline.glsl.resources import blocks_of, images_of, local_size
from texelscope.pipeline.glsl.semantics.block_text import accesses
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.shader_text import ShaderText
from texelscope.pipeline.glsl.vulkan import vulkan_to_gl
from texelscope.pipeline.pipeline_file.declarations import lowp_samplers, uniforms_of
from texelscope.pipeline.plan import Pass, Plan, ProgramSource, SourceFile
from texelscope.pipeline.read_trace.dispatch_text import instrument_dispatch
from texelscope.pipeline.read_trace.instrument import instrument
from texelscope.pipeline.repair.classify.meaning import done_otherwise, meanings
from texelscope.pipeline.repair.model_numbers import nodes_of, rows_of, scalars_of, sizes_of
from texelscope.pipeline.repair.programs.mutant_schema import MutableProgram, Mutant
from texelscope.pipeline.repair.programs.ordering import programs
from texelscope.pipeline.repair.programs.pairing import together
from texelscope.pipeline.repair.text.beyond_schemata import bracketed, raised, reordered
from texelscope.pipeline.repair.text.patch import line_edits
from texelscope.pipeline.repair.text.preferred import Sources
from texelscope.pipeline.step_trace.provenance import names_used
from texelscope.pipeline.step_trace.rewriting.rewrite import TracedShader, traced
from texelscope.pipeline.step_trace.rewriting.sites import watch_of
from texelscope.pipeline.stepping.scopes import declared_in, fields_in

# Numbers that a finding might expect, for mutants of every shader.
NUMBERS = (0.5, 3.0)
# Bounds that keep the time of one shader within a second: pairs of one slip, programs of mutants as text, mutants as
# their author's lines.
_PAIRS, _PROGRAMS, _LINES = 300, 4, 8
# Variables that are watched in a step trace.
_WATCHED = 3
# Files that recording shaders carry beside the author's text: they stand as their names in canonical lines.
_RECORDERS = (
    *(f"read_trace/{name}.glsl" for name in ("log", "scan_place", "scan", "reads", "scan_main", "dispatch_log")),
    *(f"step_trace/{name}.glsl" for name in ("state", "buffer", "colours", "log", "values", "reads", "main")),
    "step_trace/main_in_colours.glsl",
    "read_trace/moved.glsl",
)


def shaders_of(plan: Plan, name: str, only: str = "", *, is_shown: bool = True) -> Iterator[Shader]:
    """The shaders of a plan's passes; of that pass alone which is called `only`."""
    for each in plan.passes:
        if only in ("", each.name) and each.program.fragment:
            yield _shader(plan, each, f"{name}/{each.name}", is_shown=is_shown)


def _shader(plan: Plan, each: Pass, name: str, *, is_shown: bool) -> Shader:
    program = each.program
    return Shader(
        name,
        program.fragment,
        program.stage,
        tuple(File(file.number, file.path, file.text) for file in program.files),
        program.vertex,
        program.supplied_lines,
        tuple(dict.fromkeys(uniform for uniform, _ in each.bound_reads)),
        tuple(map(float, sizes_of(plan, each))),
        tuple(tuple(map(float, row)) for row in rows_of(plan, each)),
        tuple(map(float, scalars_of(plan, each))),
        tuple(sorted({node.op_type for node in nodes_of(plan, each)})),
        is_shown,
    )


def program_of(shader: Shader) -> ProgramSource:
    """The shader as the code under test takes it."""
    files = tuple(SourceFile(file.number, file.path, file.text) for file in shader.files)
    stage = "compute" if shader.stage == "compute" else "fragment"
    return ProgramSource(shader.fragment, files, shader.vertex, None, stage, shader.supplied_lines)  # type: ignore[arg-type]


def mutants_of(shader: Shader) -> Iterator[str]:
    """Every mutant in order, each with its places; which are tried together; some programs of mutants as text."""
    program, text, edits = program_of(shader), *_edits(shader)
    yield from map(_mutant, edits)
    yield from (f"number {_mutant(edit)}" for edit in text.variables())
    for kind, written in (("brackets", bracketed), ("order", reordered), ("precision", raised)):
        yield from (f"{kind} {_line_edits(some)}" for some in written(program))
    plans = programs(edits, ())
    yield from (f"program {rank} {[edit.number for edit in some]}" for rank, some in plans)
    for _, some in _spread(plans, _PROGRAMS):
        yield text.schemata(some).program.fragment
    yield f"behind {text.behind(line_map(program)[-1:])}"


def slips_of(shader: Shader) -> Iterator[str]:
    """Mutants of one slip that is made at two places or more, in the programs that run them.

    They are made of the single mutants, so these are the first to look at where they differ.
    """
    text, edits = _edits(shader)
    for some in together(text.edited(()), edits, (), _PAIRS):
        yield f"slips {[_places(edit) for edit in some.edits]}"
        yield f"at once {[[edit.number for edit in chosen] for chosen in some.chosen]}"


@lru_cache(maxsize=1)
def _edits(shader: Shader) -> tuple[MutableProgram, tuple[Mutant, ...]]:
    text = MutableProgram(program_of(shader))
    return text, text.edits(NUMBERS, shader.sizes, shader.rows, shader.scalars)


def _mutant(edit: Mutant) -> str:
    kinds = [place.kind for place in edit.places]
    return f"{edit.number} {edit.line} {edit.compile_cost} {edit.is_setting} {edit.is_address} {kinds} {_places(edit)}"


def _places(edit: Mutant) -> str:
    return str([(each.start, each.stop, each.old, each.new, each.template, [*map(float, each.values)], each.at)
                for each in edit.places])  # fmt: skip


def _line_edits(edits: Sequence[LineEdit]) -> str:
    return str([(edit.file, edit.line, edit.before, edit.after) for edit in edits])


def meanings_of(shader: Shader) -> Iterator[str]:
    """Some of the mutants as their author's lines, and what a repair that is one says was wrong."""
    program, operators = program_of(shader), frozenset(shader.operators)
    text, edits = _edits(shader)
    for edit in _spread(edits, _LINES):
        written = line_edits(program, text.edited((edit,)))
        if not written:
            continue
        repair = Repair(written, "", 0, 0)
        yield f"{_line_edits(written)} {[said for _, said in meanings(program, repair, operators)]}"
        yield f"otherwise {[done_otherwise(program, each, operators) for each in written]}"


def read_trace_of(shader: Shader) -> Iterator[str]:
    """The shader that records its reads, in each of its variants, and the places of the reads."""
    program = program_of(shader)
    if shader.stage == "compute":
        made = instrument_dispatch(program, "pass")
        yield _without_recorders(made.text)
        yield from (f"array {each.name} {each.bound} {each.bytes} {each.is_sampled}" for each in made.arrays)
        yield from (f"read {site.file}:{site.line} {site.text}" for site in made.sites)
        yield f"shared {made.has_shared} {sorted(made.feeds.items())}"
        return
    for buffers in (True, False):
        yield from _attempted(partial(_fragment_reads, program, buffers=buffers))


def _fragment_reads(program: ProgramSource, *, buffers: bool) -> Iterator[str]:
    made = instrument(program, "pass", buffers=buffers)
    yield f"buffers {buffers}"
    yield _without_recorders(made.fragment)
    yield f"samplers {made.samplers} {made.lanes_apart} {made.is_placed}"
    yield from (f"read {site.file}:{site.line} {site.text}" for site in made.sites)


def step_trace_of(shader: Shader) -> Iterator[str]:
    """The shader that writes its steps down, without watches and with some, and the table of its steps."""
    if shader.stage == "compute":
        yield "a compute shader has no step trace"
        return
    program = program_of(shader)
    made = traced(program, "pass")
    yield from _steps(made)
    yield _without_recorders(traced(program, "pass", buffers=False).fragment)
    for text in dict.fromkeys(site.text for site in made.sites):
        yield f"names of {text!r}: {[*names_used(text)]}"
    names = [site.name for site in made.sites if site.what == "assign" and site.name.isidentifier()]
    watched = [*dict.fromkeys(names)][:_WATCHED]
    watches = [watch_of(text) for text in (*watched, *(f"{name} * 2.0 + 1.0" for name in watched[:1]), "x = 1", "f(")]
    for watch in watches:
        yield f"watch {watch.text} {sorted(watch.names)} {sorted(watch.calls)} {bool(watch.problem)}"
    yield from _attempted(lambda: _steps(traced(program, "pass", [each for each in watches if not each.problem])))


def _steps(made: TracedShader) -> Iterator[str]:
    yield _without_recorders(made.fragment)
    for number, site in enumerate(made.sites):
        values = (
            site.what, site.line, site.function, site.text, site.name, site.begins, site.indices, site.step,
            site.loops, site.enters, site.turns, site.end, site.definition, site.is_shared,
        )  # fmt: skip
        yield f"step {number} {values}"
    yield from (f"read {site.file}:{site.line} {site.text}" for site in made.reads)
    yield f"samplers {made.samplers} parts {made.parts} later {sorted(made.later)}"
    yield f"watched {sorted(made.watched)} changing {sorted(made.changing)}"
    yield f"constants {sorted(made.constants.items())}"


def declarations_of(shader: Shader) -> Iterator[str]:
    """What readers of the text say is declared, read and written in it, and where."""
    if shader.stage == "mpv":
        yield from _of_mpv(shader)
    elif shader.stage == "ncnn":
        yield from _of_ncnn(shader)
    else:
        readers = {"uniforms": _of_pipeline_file, "accesses": _of_blocks, "names": _of_window,
                   "constants": _of_vulkan, "statements": _of_text}  # fmt: skip
        for name, reader in readers.items():
            yield name
            yield from _attempted(partial(reader, shader))


def _of_pipeline_file(shader: Shader) -> Iterator[str]:
    text = shader.fragment
    for name, each in uniforms_of(text).items():
        yield (
            f"uniform {name} {each.type} {each.array_count} line {each.line} mentions {each.mentions} "
            f"{each.has_precision} {each.is_sampler} {each.kind} {each.component_count}"
        )
    yield f"lowp {[each.name for each in lowp_samplers(text)]}"
    for block in blocks_of(text).values():
        yield f"block {block.name} line {block.line} {block.is_readonly} {block.is_writeonly}"
    for image in images_of(text).values():
        yield (
            f"image {image.name} line {image.line} {image.dimensions} {image.is_sampler} {image.format} "
            f"{image.is_readonly} {image.is_writeonly}"
        )
    yield f"group {local_size(text)}"


def _of_blocks(shader: Shader) -> Iterator[str]:
    program, text = program_of(shader), shader.fragment
    found = accesses(parse(constructors_as_calls(text.encode())))
    named = {"reads": found.reads, "writes": found.writes, "shared reads": found.shared_reads,
             "shared writes": found.shared_writes}  # fmt: skip
    for kind, nodes in named.items():
        for name, some in nodes.items():
            yield f"{kind} {name} {[(node.start_byte, node.end_byte) for node in some]}"
    yield f"shares {shares_memory(text)}"
    if shares_memory(text):
        yield f"held {held_inside(text)}"
    if (barriers := with_barriers(program)) is not None:
        yield barriers.every.fragment
        for each, said, line in barriers.single:
            yield f"barrier {said} {line}\n{each.fragment}"
    for changed in (in_full_precision(program), moved_reads(program)):
        yield _without_recorders(changed.fragment) if changed is not None else "none"


def _of_window(shader: Shader) -> Iterator[str]:
    for each in declared_in(shader.fragment):
        yield (
            f"declared {each.name} {each.type} in '{each.function}' lines {each.first} to {each.last} "
            f"{each.is_parameter} {each.in_head}"
        )
    yield f"fields {fields_in(shader.fragment)}"


def _of_vulkan(shader: Shader) -> Iterator[str]:
    if shader.stage != "compute":
        return
    made = vulkan_to_gl(shader.fragment, {})
    yield made.text
    for each in (*made.push, *made.constants):
        yield f"constant {each.name} {each.uniform} {each.type} {each.count} line {each.line} {each.number}"


def _of_text(shader: Shader) -> Iterator[str]:
    program = program_of(shader)
    text = ShaderText(program)
    results = text.results()
    lists: Mapping[str, object] = {
        "outputs": sorted(text.outputs),
        "results": results,
        "summands": text.summands(),
        "kept": text.kept(),
        "conditions": text.conditions(),
        "returns": text.returns(),
        "precisions": text.precisions(),
        "discards": text.discards(),
        "called": [text.called_behind(line) for line in results[:3]],
        "sources": Sources(program).behind(results),
        "quotients": text.operators("/"),
        "bounds": text.calls("max", "min", "clamp"),
    }
    yield from (f"{name} {value}" for name, value in lists.items())
    for kind, statements in (("assigned", text.assignments()), ("sum", text.sums())):
        for each in statements:
            yield f"{kind} {each.line} {each.variable} {each.operator} {each.depth} {each.text}"
    for loop in text.loops():
        yield f"loop {loop.line} {loop.condition} {loop.variable} {loop.depth}"
    for name in shader.samplers:
        yield f"sampler {name} {text.reads(name)} {text.uses(name)} {text.passed(name)}"
    for number in (0.0, 0.5, 1.0, 2.0):
        yield f"numbers {number} {text.numbers(number)}"
    yield expand_all(shader.fragment)


def _of_mpv(shader: Shader) -> Iterator[str]:
    """The blocks of a user shader, the passes that they become, and the network that is read out of them."""
    parsed = parse_mpv(shader.fragment, "shader.glsl")
    key, channels = input_of(parsed)
    yield f"input {key} {channels}"
    plan = build(parsed, {key: (1, channels, 12, 16)}, "float32", Limits())
    for each in plan.passes:
        yield f"pass {each.name} makes {each.outputs} reads {each.bound_reads} {dict(each.uniforms)}"
        yield each.program.fragment
    network = network_of_plan(plan)
    for node in network.model.graph.node:
        attributes = sorted(str(attribute) for attribute in node.attribute)
        yield f"node {node.op_type} {[*node.input]} {[*node.output]} {attributes}"
    for name, value in network.constants.items():
        yield f"constant {name} {value.shape} {value.ravel().tolist()}"
    for name, lines in network.lines.items():
        yield f"lines {name} {lines.ravel().tolist()}"
    yield from (f"left out {each.tensor} line {each.line}" for each in network.left_out)


def _of_ncnn(shader: Shader) -> Iterator[str]:
    program = program_of(shader)
    for mode in MODES:
        yield f"mode {mode.name}"
        yield from _attempted(partial(_translated, program, mode))


def _translated(program: ProgramSource, mode: NcnnMode) -> Iterator[str]:
    yield translated(program, mode, (4, 4, 1)).fragment


def refusals_of(shader: Shader) -> Iterator[str]:
    """What is said of a shader that cannot be followed, word by word."""
    program = program_of(shader)
    tried: tuple[Callable[[], object], ...] = (
        (lambda: instrument_dispatch(program, "pass"),)
        if shader.stage == "compute"
        else (
            lambda: instrument(program, "pass"),
            lambda: instrument(program, "pass", buffers=False),
            lambda: traced(program, "pass"),
        )
    )
    for attempt in tried if shader.stage in ("fragment", "compute") else ():
        try:
            attempt()
        except TexelscopeError as error:
            yield str(error)


def refused(error: Exception) -> str:
    """A canonical line for an error: that it is one, and its place in the text, but not how it says so."""
    if isinstance(error, MacroError):
        return f"refused, macro {error.name} line {error.line}"
    if isinstance(error, TexelscopeError):
        place = error.who.rpartition("(")[2].rstrip(")") if error.who.endswith(")") else ""
        return f"refused {place}"
    return f"failed: {type(error).__name__}: {error}"


def _attempted(make: Callable[[], Iterator[str]]) -> Iterator[str]:
    """The lines of one part; an error becomes a line, and other parts go on."""
    try:
        yield from make()
    except Exception as error:  # noqa: BLE001 - an error is a result, as kept as any other
        yield refused(error)


def _spread(items: Sequence[Any], count: int) -> Sequence[Any]:
    """At most so many of some items, all over them."""
    step = max(1, -(-len(items) // count))
    return items[::step]


@cache
def _recorders() -> tuple[tuple[str, str], ...]:
    return tuple((name, read_shader(name)) for name in _RECORDERS)


def _without_recorders(text: str) -> str:
    """A recording shader with the files that it carries as their names: these are not made by parsing."""
    for name, carried in _recorders():
        text = text.replace(carried, f"<{name}>")
    return text
