"""Turns blocks into passes in the order of mpv's renderer: their inputs exist, or a message says why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from texelscope import layouts
from texelscope.layouts import Layout
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.mpv.blocks import (
    Compute,
    DirectiveName,
    EmbeddedTexture,
    HookBlock,
    HookParameter,
    UserShader,
)
from texelscope.pipeline.dialects.mpv.directives import HOOK_POINTS
from texelscope.pipeline.dialects.mpv.halves import NO_HALVES, uses_halves
from texelscope.pipeline.dialects.mpv.pictures import OPAQUE, PLANES, StoredPicture, plane_size
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.mpv.prelude import AUTHOR, OUT_IMAGE, BodySurroundings, Bound, program_of
from texelscope.pipeline.dialects.mpv.rpn import Expression
from texelscope.pipeline.dialects.mpv.spirv import with_dot_products
from texelscope.pipeline.dialects.mpv.storage import FrameNumber, StoredImages, drawn_by_groups
from texelscope.pipeline.errors import nearest
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.plan import (
    Dispatch,
    ImageBinding,
    Pass,
    Plan,
    ProgramSource,
    Role,
    Sampler,
    SourceFile,
    Storage,
    StoredTensor,
    UniformValue,
)
from texelscope.pipeline.unique_names import UniqueNames


@dataclass(frozen=True)
class MadeBlock:
    """Describes a block that became a pass: its text from `line` of `file`, what it reads, and what it writes.

    `is_own` says that this program supplies it in place of mpv's renderer.
    """

    target: StoredPicture
    file: str
    line: int
    text: str
    bound: tuple[Bound, ...]
    compute: Compute | None = None
    description: str = ""
    is_own: bool = False


@dataclass(frozen=True)
class ShaderPlan(Plan):
    """This plan keeps its blocks, in the order of the passes, and the file's parameters.

    `text` is the file's, and `former_text` the version that was opened, by whose network edits are judged.
    """

    blocks: tuple[MadeBlock, ...] = ()
    parameters: tuple[HookParameter, ...] = ()
    text: str = ""
    former_text: str = ""


HOOKED = "HOOKED"


class PassMaker:
    """Creates the passes of one file; `names` are the pictures by the present names that blocks use.

    `window` is width and height of OUTPUT; `skipped` has a line for each block that does not run, with the reason, and
    `turned_off` the conditions of blocks that are 0. `notes` say what of the file is done in another way.
    """

    def __init__(self, shader: UserShader, precision: Storage, limits: Limits, window: tuple[int, int]) -> None:
        self.window = window
        self.textures: dict[str, StoredTensor] = {}
        self.passes: list[Pass] = []
        self.names: dict[str, StoredPicture] = {}
        self.skipped: list[str] = []
        self.turned_off: list[Expression] = []
        self.notes: list[str] = []
        self.blocks: list[MadeBlock] = []
        self.blocks_run = 0
        self._shader = shader
        self._file = SourceFile(AUTHOR, shader.path, shader.text)
        self._precision = precision
        self._limits = limits
        self._keys = UniqueNames()
        self._not_saved: dict[str, FileLine] = {}
        self._source: StoredPicture | None = None
        self._embedded = {each.name: each for each in shader.textures}
        self._check_binds()
        images = [each for each in shader.textures if each.is_storage]
        for each in shader.textures:
            self._store_embedded(each)
        self.images = StoredImages(images, [_layout(each.shape[1]) for each in images], self.textures, self._keys)

    # -- pictures ------------------------------------------------------------------------------------------

    def store_input(self, picture: StoredPicture) -> StoredPicture:
        """Stores the input under its key."""
        self._check_size(picture, FileLine(self._shader.path, 1))
        self._source = self._store(picture, "input")
        return self._source

    def own(self, key: str, shader: str, reads: tuple[str, ...], target: StoredPicture) -> StoredPicture:
        """Adds a pass of this program, whose body is a file of `shaders/mpv`, with pictures by name."""
        self._check_size(target, FileLine(self._shader.path, 1))
        bound = [Bound((name,), self.names[name]) for name in reads]
        made = self._store(replace(target, key=key), "activation")
        around = BodySurroundings(f"{key}, which mpv's renderer makes", bound, made)
        name = f"mpv/{shader}.glsl"
        file = SourceFile(AUTHOR, f"shaders/{name}", read_shader(name))
        self._add(made, program_of(file.text, 1, file, around, self._limits.version), bound, ())
        self.blocks.append(MadeBlock(made, file.path, 1, file.text, tuple(bound), is_own=True))
        self.names[key] = made
        return made

    def _store(self, picture: StoredPicture, role: Role) -> StoredPicture:
        picture = replace(picture, key=self._keys.give(picture.key))
        storage = self._precision if role == "activation" else "float32"
        layout = _layout(picture.components)
        self.textures[picture.key] = StoredTensor(
            picture.key, picture.key, picture.shape, layout, storage, role, padding=OPAQUE
        )
        return picture

    def _store_embedded(self, each: EmbeddedTexture) -> None:
        if each.dimensions == 1:
            raise each.place.fault(
                "a //!TEXTURE of two or three dimensions", "1", "Write width and height behind //!SIZE."
            )
        shape = each.shape
        lanes = shape[1]
        self._check_size(StoredPicture(each.name, shape[3], shape[2], lanes), each.place)
        if each.is_storage:
            return
        key = self._keys.give(each.name)
        self.textures[key] = StoredTensor(key, each.name, shape, _layout(lanes), "float32", "constant", padding=OPAQUE)

    def _check_size(self, picture: StoredPicture, place: FileLine) -> None:
        """Checks the size before memory is taken."""
        limit = self._limits.max_texture_texels
        if not (1 <= picture.width <= limit and 1 <= picture.height <= limit):
            raise place.fault(
                f"a picture of 1 to {limit} texels along each side", f"{picture.width}x{picture.height}",
                "Correct WIDTH and HEIGHT, or give other sizes with --shape.",
            )  # fmt: skip

    # -- blocks --------------------------------------------------------------------------------------------

    def expressions(self) -> Iterator[Expression]:
        """Returns every expression of the file."""
        for block in self._shader.blocks:
            yield from (each for each in (block.width, block.height, block.when) if each is not None)

    def hooks(self, stage: str) -> bool:
        """Reports whether a block hooks in there."""
        return any(True for _ in self._blocks(stage))

    def skip_stage(self, stage: str, reason: str) -> None:
        """Skips all blocks that hook in there."""
        for block in self._blocks(stage):
            self._skip(block, f"{stage} is not reached: {reason}")

    def run_stage(self, stage: str) -> StoredPicture:
        """Creates the passes of the blocks that hook in at `stage`; returns the picture after them."""
        for block in self._blocks(stage):
            self._run(block, stage)
        return self.names[stage]

    def _blocks(self, stage: str) -> Iterator[HookBlock]:
        return (block for block in self._shader.blocks if any(hook.name == stage for hook in block.hooks))

    def _run(self, block: HookBlock, stage: str) -> None:
        hooked = self.names[stage]
        if block.when is not None and not self._value(block.when, hooked):
            told = [f"{name} {_size(self._size(name, hooked))}" for name in sorted(block.when.names)]
            told += [f"{name} {self._shader.numbers[name]:g}" for name in sorted(block.when.variables)]
            known = f" ({', '.join(told)})" if told else ""
            self._skip(block, f"WHEN {block.when.text} is 0{known}")
            self.turned_off.append(block.when)
            return
        found = self._bound(block, stage)
        if found is None:
            return
        bound, embedded = found
        target = self._target(block, stage, hooked)
        uniforms = self._told(hooked)
        images = self.images.bindings(block)
        around = BodySurroundings(
            block.description or target.key, bound, target, embedded, self._shader.parameters, uniforms,
            self._compute(block, has_images=bool(images)), self._precision,
            uses_halves(block.body, self._limits.extensions), block.macros, images, returns_color=block.compute is None,
        )  # fmt: skip
        if around.halves_are_floats:
            self.notes.append(f"{block.place}: {NO_HALVES}")
        body = with_dot_products(block.body, block.body_line, self._shader.path)
        program = program_of(body, block.body_line, self._file, around, self._limits.version)
        made = self._store(target, "activation")
        self._add(made, program, bound, embedded, self._all_uniforms(uniforms), around.compute, images)
        path, line, description = self._shader.path, block.body_line, block.description
        self.blocks.append(MadeBlock(made, path, line, body, tuple(bound), block.compute, description))
        self.names[block.save.name if block.save is not None else stage] = made
        self.blocks_run += 1

    def _compute(self, block: HookBlock, *, has_images: bool) -> Compute | None:
        compute = block.compute or (drawn_by_groups(block) if has_images else None)
        if compute is None:
            return None
        groups, (x, y) = self._limits.work_groups, compute.threads
        if groups is None:
            raise compute.place.fault(
                "a device with OpenGL 4.3, which has compute shaders", "an older one", "Open it on another."
            )
        if x * y > groups.invocations:
            raise compute.place.fault(
                f"at most {groups.invocations} invocations a work group on this device", f"{x} x {y}",
                "Give fewer behind //!COMPUTE, third and fourth.",
            )  # fmt: skip
        return compute

    def _target(self, block: HookBlock, stage: str, hooked: StoredPicture) -> StoredPicture:
        """Returns the block's target: its size, components, and offset if it replaces the hooked texture."""
        width = self._whole(block.width, hooked, hooked.width)
        height = self._whole(block.height, hooked, hooked.height)
        save = block.save.name if block.save is not None else stage
        replaces = save == stage
        # A texture saved beside a picture of three colours may use the fourth lane, which textures have anyway.
        usual = hooked.components if replaces or hooked.components < 3 else 4
        target = StoredPicture(save, width, height, block.components or usual)
        place = next((each.place for each in (block.width, block.height) if each is not None), block.place)
        self._check_size(target, place)
        if not replaces or block.offset.aligned:
            return target
        x = hooked.offset[0] * width / hooked.width + block.offset.x
        y = hooked.offset[1] * height / hooked.height + block.offset.y
        return replace(target, offset=(x, y))

    def _whole(self, expression: Expression | None, hooked: StoredPicture, default: int) -> int:
        return default if expression is None else round(self._value(expression, hooked))

    def _value(self, expression: Expression, hooked: StoredPicture) -> float:
        return expression.value(lambda name: self._size(name, hooked), self._shader.numbers)

    def _size(self, name: str, hooked: StoredPicture) -> tuple[float, float] | None:
        if name == HOOKED:
            return hooked.size
        if name == "OUTPUT" and name not in self.names:
            return float(self.window[0]), float(self.window[1])
        if name == "NATIVE_CROPPED" and self._source is not None:
            return self._source.size
        embedded = self._embedded.get(name)
        if embedded is not None:
            return float(embedded.texels.shape[2]), float(embedded.texels.shape[1])
        if name in self.names:
            return self.names[name].size
        if name in PLANES and self._source is not None:  # of a picture whose planes nothing hooks or reads
            plane = plane_size(name, (self._source.width, self._source.height))
            return float(plane[0]), float(plane[1])
        return None

    # -- inputs of a block ---------------------------------------------------------------------------------

    def _check_binds(self) -> None:
        """Checks that every texture that a block reads is mpv's, the file's, or saved by a block."""
        saved = {block.save.name for block in self._shader.blocks if block.save is not None}
        known = {*saved, *self._embedded, *HOOK_POINTS, HOOKED}
        for block in self._shader.blocks:
            for bind in block.binds:
                if bind.name not in known:
                    raise bind.place.fault(
                        "a texture that some block saves, or a plane", f"'{bind.name}'", nearest(bind.name, known)
                    )

    def _bound(self, block: HookBlock, stage: str) -> tuple[list[Bound], list[EmbeddedTexture]] | None:
        """Returns the pictures and textures that a block reads; None if one is missing, so that it cannot run."""
        pictures: dict[str, list[str]] = {}
        embedded: list[EmbeddedTexture] = []
        for bind in block.binds:
            if bind.name in self._embedded:
                embedded.append(self._embedded[bind.name])
                continue
            picture = self.names.get(stage if bind.name == HOOKED else bind.name)
            if picture is None:
                if not self._lacks(block, bind, stage):
                    return None
                continue
            names = (stage, HOOKED) if bind.name in (HOOKED, stage) else (bind.name,)
            pictures.setdefault(picture.key, []).extend(names)
        by_key = {picture.key: picture for picture in self.names.values()}
        hooked = self.names[stage]
        shift = hooked.offset if block.offset.aligned else (0.0, 0.0)
        bound = [
            Bound(tuple(dict.fromkeys(names)), by_key[key], shift if key == hooked.key else (0.0, 0.0))
            for key, names in pictures.items()
        ]
        if len(bound) + len(embedded) > self._limits.max_samplers:
            raise block.place.fault(
                f"at most {self._limits.max_samplers} textures", f"{len(bound) + len(embedded)}", "Split the block."
            )
        return bound, embedded

    def _lacks(self, block: HookBlock, bind: DirectiveName, stage: str) -> bool:
        """Skips the block if an input is missing because its block was skipped. Raises TexelscopeError otherwise."""
        if bind.name in self._not_saved:
            line = self._not_saved[bind.name].line
            self._skip(block, f"'{bind.name}' is not there, the block of line {line} is skipped")
            return False
        later = next((b for b in self._shader.blocks if b.save is not None and b.save.name == bind.name), None)
        if later is None:
            raise bind.place.fault(
                f"a picture that is there when mpv comes to {stage}",
                f"'{bind.name}'",
                "Hook in later, or read another.",
            )
        whose = "this block itself" if later is block else f"the block of line {later.place.line}"
        raise bind.place.fault(
            "a texture that an earlier block saves", f"'{bind.name}', which {whose} saves, after this one reads it",
            "Put the blocks in an order without a circle.",
        )  # fmt: skip

    def _skip(self, block: HookBlock, reason: str) -> None:
        if block.save is not None and block.save.name not in self.names:
            self._not_saved.setdefault(block.save.name, block.place)
        what = f" ({block.description})" if block.description else ""
        self.skipped.append(f"{block.place}{what}: skipped: {reason}.")

    # -- passes --------------------------------------------------------------------------------------------

    def _told(self, hooked: StoredPicture) -> dict[str, UniformValue]:
        """Returns the uniforms that mpv sets for every pass."""
        source = self._source or hooked
        return {
            "random": 0.5,
            "frame": 0,
            "input_size": source.size,
            "target_size": (float(self.window[0]), float(self.window[1])),
            "tex_offset": hooked.offset,
        }

    def _all_uniforms(self, told: Mapping[str, UniformValue]) -> dict[str, UniformValue]:
        own: dict[str, UniformValue] = {}
        for each in self._shader.parameters:
            if not each.is_constant:
                own[each.name] = each.initial if each.type == "float" else int(each.initial)
        return {**told, **own}

    def _add(
        self,
        made: StoredPicture,
        program: ProgramSource,
        bound: list[Bound],
        embedded: list[EmbeddedTexture] | tuple[()],
        uniforms: Mapping[str, UniformValue] = MappingProxyType({}),
        compute: Compute | None = None,
        images: tuple[ImageBinding, ...] = (),
    ) -> None:
        samplers = [Sampler(each.sampler, each.picture.key, "linear") for each in bound]
        samplers += [
            Sampler(each.name, each.name, each.filter, each.border, each.kind, each.size)
            for each in embedded
            if not each.is_storage
        ]
        declared = {line.split()[-1][:-1] for line in program.fragment.split("\n") if line.startswith("uniform ")}
        used = {name: value for name, value in uniforms.items() if name in declared}
        dispatch = None
        if compute is not None:
            width, height = compute.block
            groups = (-(-made.width // width), -(-made.height // height), 1)
            dispatch = Dispatch(groups, images=(ImageBinding(OUT_IMAGE, made.key), *images))
        outputs = (made.key, *(each.key for each in images if each.starts_as))
        by_frame = {"frame": FrameNumber()} if self.images and "frame" in used else {}
        self.passes.append(
            Pass(
                made.key, "Shader", outputs, tuple(samplers), program, MappingProxyType(used), dispatch=dispatch,
                by_frame=MappingProxyType(by_frame),
            )
        )  # fmt: skip


def _layout(components: int) -> Layout:
    """Returns the layout: one number a texel for one component, four for more."""
    return layouts.layout("channel_tiles" if components == 1 else "channel_tiles_rgba")


def _size(size: tuple[float, float] | None) -> str:
    return "nothing" if size is None else f"{size[0]:g}x{size[1]:g}"
