"""Turns a pipeline file's entries into a plan: finds what they name, checks that it fits together. No GL.

Every problem is recorded before the first error is raised, so that one attempt shows them all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from texelscope.layouts import LayoutError
from texelscope.pipeline.deadline import check
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.frames import CarriedTensor, Frames, Moment
from texelscope.pipeline.graph import Graph, Node, Shape
from texelscope.pipeline.installation import command
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.pipeline_file.atlases import AtlasEntry, Atlases
from texelscope.pipeline.pipeline_file.bound_tensors import lanes_fit
from texelscope.pipeline.pipeline_file.carried_tensors import CarriedTensors
from texelscope.pipeline.pipeline_file.computed_inputs import with_computed_inputs
from texelscope.pipeline.pipeline_file.file_plan import FilePlan, given_to
from texelscope.pipeline.pipeline_file.folder import Folder
from texelscope.pipeline.pipeline_file.oracle_functions import check_functions, functions_in
from texelscope.pipeline.pipeline_file.pass_builder import PassBuilder
from texelscope.pipeline.pipeline_file.sampler_bindings import numbers_read
from texelscope.pipeline.pipeline_file.schema import WHOLE_DTYPES, PassEntry, PipelineEntries, TensorEntry
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.pipeline_file.tensor_parts import joined_shapes
from texelscope.pipeline.pipeline_file.tensor_values import constant_shape, load_values
from texelscope.pipeline.plan import OracleFile, Pass, Role, StoredTensor
from texelscope.pipeline.planning.memory import check_textures
from texelscope.pipeline.quotas import QuotaError, hold
from texelscope.pipeline.untrusted_files import is_file, is_inside, resolved

Trust = bool | Collection[str]


class PlanBuilder:
    """Makes the plan of one file; `graph` is the model, already loaded, or None."""

    def __init__(
        self, entries: PipelineEntries, folder: Folder, graph: Graph | None, limits: Limits, problems: Problems
    ) -> None:
        self._entries = entries
        self._folder = folder
        self._graph = graph
        self._limits = limits
        self._problems = problems
        self._textures: dict[str, StoredTensor] = {}
        self._warnings: list[str] = []
        self._shader_warnings: dict[str, tuple[str, ...]] = {}
        self._functions: dict[str, str] = {}
        self._atlases = Atlases(entries.atlases, problems)

    def build(self, trust: Trust) -> FilePlan:
        """Returns the plan, without stamps. Raises PipelineFileError with every problem."""
        hold(self._problems.file, "passes", len(self._entries.passes))
        self._check_names()
        for entry in self._entries.inputs:
            self._store(entry, "input")
        for entry in self._entries.constants:
            self._store_constant(entry)
        for each in self._entries.passes:
            for output in each.outputs:
                self._store(output, "activation")
        carried = CarriedTensors(self._entries, self._graph, self._textures, self._problems).add()
        oracle_file = self._oracle_file(trust)
        passes = self._passes()
        for key, dtype in numbers_read(passes, self._entries.dtypes, self._textures).items():
            self._textures[key] = dataclasses.replace(self._textures[key], dtype=dtype)
        fits = self._check_memory()
        inputs = self._values(self._entries.inputs) if fits else {}
        constants = self._values(self._entries.constants) if fits else {}
        plan = FilePlan(
            name=self._entries.name,
            textures=MappingProxyType(self._textures),
            passes=tuple(passes),
            inputs=tuple(entry.name for entry in self._entries.inputs if entry.name in self._textures),
            outputs=_results(passes, carried),
            graph=self._graph,
            constants=MappingProxyType(constants),
            initial_inputs=MappingProxyType(inputs),
            tolerances=MappingProxyType({p.name: p.tolerance for p in self._entries.passes if p.tolerance is not None}),
            oracle_file=oracle_file,
            files=tuple(self._files()),
            entries=self._entries,
            shader_warnings=MappingProxyType(self._shader_warnings),
            frames=Frames(self._entries.frames, carried, Moment(per_second=self._entries.per_second)),
        )
        if oracle_file is not None:
            check_functions(plan, self._titles(), self._problems)
        self._check_model_inputs()
        self._problems.raise_any()
        return dataclasses.replace(plan, warnings=tuple(dict.fromkeys(self._warnings)))  # passes may share a shader

    def _files(self) -> Iterator[Path]:
        tensors = (*self._entries.inputs, *self._entries.constants)
        for name in (self._entries.model, self._entries.oracle, *(entry.source for entry in tensors)):
            path = self._folder.path / name if name is not None else None
            if path is not None and is_file(path) and is_inside(path, self._folder.path):
                yield path.resolve()

    def _titles(self) -> Mapping[str, str]:
        return {each.name: each.title for each in self._entries.passes}

    def _check_names(self) -> None:
        """Checks that tensor names and pass names are unique; a pass's first output has the pass's name."""
        tensors: dict[str, str] = {}
        passes: set[str] = set()
        for atlas in self._entries.atlases:
            self._claim(atlas, "name", tensors)
        for entry in (*self._entries.inputs, *self._entries.constants):
            self._claim(entry, "name", tensors)
        for each in self._entries.passes:
            if each.name and each.name in passes:
                self._problems.add(each.title, "name", "a unique name", "that of an earlier pass", "Rename one.")
                continue
            passes.add(each.name)
            for output in each.outputs:
                self._claim(output, "name" if output.name == each.name else "output.name", tensors)

    def _claim(self, entry: TensorEntry | AtlasEntry, key: str, taken: dict[str, str]) -> None:
        if entry.name and entry.name in taken:
            self._problems.add(
                entry.title, key, "a tensor's name that is not taken", f"that of {taken[entry.name]}", "Rename one."
            )
        taken.setdefault(entry.name, entry.title)

    # -- tensors -------------------------------------------------------------------------------------------

    def _store(self, entry: TensorEntry, role: Role) -> StoredTensor | None:
        """Adds the tensor; returns None if the file says too little of it or no texture holds it."""
        if entry.shape is None or entry.layout is None or not entry.name or entry.name in self._textures:
            return None
        prefix = "output." if role == "activation" else ""
        layout = self._atlases.placed(entry.layout, entry.name, entry.shape, entry.title, f"{prefix}layout")
        if layout is None or not self._atlases.check_dtype(layout, entry.dtype, entry.title, f"{prefix}dtype"):
            return None
        shape, storage = entry.shape, self._atlases.storage(layout, entry.storage)
        if not self._fits(dataclasses.replace(entry, layout=layout), prefix):
            return None
        if not lanes_fit(storage, layout, shape, entry.title, f"{prefix}dtype", self._problems):
            return None
        tensor = self._oracle_name(entry, role, shape)
        known = self._graph.tensors.get(tensor) if self._graph is not None and role != "constant" else None
        dtype = known.dtype if known is not None else "float32"
        dtype = entry.dtype if entry.dtype in WHOLE_DTYPES else dtype
        stored = StoredTensor(entry.name, tensor, shape, layout, storage, role, dtype, quantization=entry.quantization)
        self._textures[entry.name] = stored
        return stored

    def _fits(self, entry: TensorEntry, prefix: str) -> bool:
        assert entry.shape is not None
        assert entry.layout is not None
        try:
            if entry.quantization is not None:
                entry.quantization.check(entry.shape)
        except TexelscopeError as error:
            self._problems.add(entry.title, f"{prefix}{error.who}", error.expected, error.got, error.do_next)
            return False
        try:
            height, width = entry.layout.texture_shape(entry.shape)
        except LayoutError as error:
            self._problems.add(entry.title, f"{prefix}layout", error.expected, error.got, error.do_next)
            return False
        limit = self._limits.max_texture_texels
        if max(height, width) <= limit:
            return True
        self._problems.add(
            entry.title, f"{prefix}shape", f"a texture of at most {limit}x{limit} texels",
            f"{width}x{height} (width x height) in {entry.layout.name}", "Choose another layout or a smaller shape.",
        )  # fmt: skip
        return False

    def _oracle_name(self, entry: TensorEntry, role: Role, shape: Shape) -> str:
        """Returns the oracle's name of the tensor; its own name, which is unique, where there is no model."""
        if self._graph is None or role == "constant":
            return entry.name
        name = self._graph.tensor_called(entry.oracle or entry.name)
        info = self._graph.tensors.get(name)
        model = self._entries.model
        if info is None:
            advice = nearest(name, [*self._graph.tensors])
            if entry.oracle is not None:
                self._problems.add(entry.title, "oracle", f"a tensor of {model}", f"'{name}'", _short(advice))
            elif role == "activation":
                self._warnings.append(
                    f"{self._problems.file} {entry.title}: not compared, {model} has no tensor '{name}'. "
                    f"Set 'oracle'. {_short(advice)}"
                )
        elif tuple(info.shape) != shape:
            key = "shape" if role == "input" else "output.shape"
            self._problems.add(
                entry.title,
                key,
                f"{list(info.shape)}, that of '{name}' in {model}",
                str(list(shape)),
                "Change one of them.",
            )
        return name

    def _store_constant(self, entry: TensorEntry) -> None:
        try:
            self._store(dataclasses.replace(entry, shape=constant_shape(entry, self._folder)), "constant")
        except TexelscopeError as error:
            self._problems.add(entry.title, "source", error.expected, error.got, error.do_next)

    def _values(self, entries: Sequence[TensorEntry]) -> dict[str, NDArray[Any]]:
        """Returns the values of those entries that have a source."""
        found = {}
        for entry in entries:
            stored = self._textures.get(entry.name)
            try:
                value = load_values(entry, stored, self._folder) if stored is not None else None
            except TexelscopeError as error:
                self._problems.add(entry.title, "source", error.expected, error.got, error.do_next)
                continue
            if value is not None:
                found[entry.name] = value
        return found

    def _check_memory(self) -> bool:
        """Whether all textures together are small enough; checked before anything is loaded."""
        try:
            check_textures(self._problems.file, self._textures.values())
        except QuotaError as error:
            self._problems.add("", "", error.expected, error.got, error.do_next)
            return False
        return True

    def _check_model_inputs(self) -> None:
        bound = {stored.tensor for stored in self._textures.values()}
        for name in self._graph.inputs if self._graph is not None else ():
            if name not in bound:
                self._warnings.append(
                    f"{self._problems.file}: input '{name}' of {self._entries.model} has no [[input]], "
                    "so that nothing is compared end to end."
                )

    # -- passes --------------------------------------------------------------------------------------------

    def _passes(self) -> list[Pass]:
        """Builds the passes that can be built, in order; each sees the tensors before it."""
        oracle = GraphOracle(self._graph) if self._graph is not None else None
        available = given_to(self._entries)
        later = {output.name for each in self._entries.passes for output in each.outputs}
        builder = PassBuilder(
            self._folder, self._graph, self._limits, self._textures, self._problems, self._warnings, self._entries
        )
        made = []
        for entry in self._entries.passes:
            check()
            before = len(self._warnings)
            own = builder.build(entry, available, later)
            self._shader_warnings[entry.name] = tuple(self._warnings[before:])
            if own is not None:
                made.append(own if oracle is None else self._covering(own, entry, oracle, available))
            available.update(output.name for output in entry.outputs)
        return made

    def _covering(self, shader_pass: Pass, entry: PassEntry, oracle: GraphOracle, available: Collection[str]) -> Pass:
        """Returns the pass with the names of the nodes between its inputs and its first output.

        If no nodes lead from those inputs, they are the nodes from everything before it (`available`, by key).
        """
        assert self._graph is not None
        wanted = self._textures[shader_pass.output].tensor
        if wanted not in self._graph.tensors:
            return shader_pass
        inputs = [entry.name for entry in self._entries.inputs]
        shader_pass = with_computed_inputs(shader_pass, self._textures, inputs, oracle)
        given = [self._textures[key].tensor for key in shader_pass.reads]
        nodes: tuple[Node, ...] = ()
        try:
            nodes = oracle.between(given, wanted)
        except TexelscopeError as error:
            self._warnings.append(f"{self._problems.file} {entry.title}: {error}")
            earlier = [self._textures[key].tensor for key in available if key in self._textures]
            with suppress(TexelscopeError):
                nodes = oracle.between([*given, *earlier], wanted)
        operators = "+".join(node.op_type for node in nodes) or shader_pass.operator
        return dataclasses.replace(shader_pass, nodes=tuple(node.name for node in nodes), operator=operators)

    # -- oracle --------------------------------------------------------------------------------------------

    def _oracle_file(self, trust: Trust) -> OracleFile | None:
        if self._entries.oracle is None:
            return None
        try:
            path = self._folder.file(self._entries.oracle)
            text = self._folder.text(path)
            known = functions_in(text, self._entries.oracle)
        except TexelscopeError as error:
            self._problems.add_error("[pipeline]", "oracle", error)
            return None
        for each in self._entries.passes:
            for output in each.outputs:
                self._bind_function(output, known)
        file = OracleFile(self._entries.oracle, text, MappingProxyType(dict(self._functions)))
        trusted = trust if isinstance(trust, bool) else file.digest in trust
        if not trusted:
            self._warnings.append(f"{file.path} is code and was not run; trust it (--trust) to compare.")
        return dataclasses.replace(file, trusted=trusted)

    def _bind_function(self, output: TensorEntry, known: Collection[str]) -> None:
        name = output.oracle or output.name
        if name in known:
            self._functions[output.name] = name
        elif output.oracle is not None:
            self._problems.add(
                output.title, "oracle", f"a function of {self._entries.oracle}", f"'{name}'", nearest(name, known)
            )
        elif name:
            self._warnings.append(
                f"{self._problems.file} {output.title}: not compared, {self._entries.oracle} has no function '{name}'. "
                f"{nearest(name, known)}"
            )


def _results(passes: list[Pass], carried: Collection[CarriedTensor]) -> tuple[str, ...]:
    """Returns the outputs that no pass reads, or the next frame: the results of the pipeline."""
    read = {key for each in passes for key in each.reads} - {each.of for each in carried}
    return tuple(key for each in passes for key in each.outputs if key not in read)


def _short(advice: str) -> str:
    """Returns the advice without a list that fills the screen."""
    return advice if len(advice) < 200 else f"See '{command()} list' or a viewer of models for its names."


def model_shapes(entries: PipelineEntries) -> dict[str, Shape]:
    """Returns the file's shapes of the model's inputs."""
    return joined_shapes({each.oracle or each.name: each.shape for each in entries.inputs if each.shape is not None})


def file_folder(path: Path) -> Folder:
    """Returns the folder of a pipeline file."""
    return Folder(resolved(path, what="a pipeline file").parent)
