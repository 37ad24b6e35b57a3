"""Dispatches a pass: binds buffers and images by name, runs work groups, and records where the outputs are now."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import moderngl

from texelscope.pipeline.gl.dispatching.twins import BUFFER, TEXTURE, Picture, Place, Twins
from texelscope.pipeline.glsl.resources import FORMATS, Image, images_of
from texelscope.pipeline.plan import BufferBinding, Dispatch, ImageBinding, Pass, StoredTensor

TextureOf = Callable[[StoredTensor], moderngl.Texture]


class Dispatcher:
    """Dispatches passes over tensors whose textures `texture` returns, and their `twins`."""

    def __init__(self, context: moderngl.Context, twins: Twins, texture: TextureOf) -> None:
        self._context = context
        self._twins = twins
        self._texture = texture

    def _start(self, dispatch: Dispatch, textures: Mapping[str, StoredTensor]) -> None:
        """Copies into each output that is changed in place its initial content."""
        for binding in dispatch.bound:
            if binding.starts_as:
                start, own = textures[binding.starts_as], textures[binding.key]
                source = self._twins.buffer(start, self._texture(start))
                target = self._twins.buffer(own, self._texture(own))
                self._context.copy_buffer(target, source)
                self._twins.wrote(binding.key, BUFFER)

    def bind(
        self, shader_pass: Pass, shader: moderngl.ComputeShader, text: str, textures: Mapping[str, StoredTensor]
    ) -> None:
        """Binds buffers and images to `shader`, the pass's own or a variant, which declares images as `text` does.

        An output that is changed in place gets its initial content; others keep theirs where nothing is written.
        The shader determines where outputs are from now on: the caller runs it, followed by a memory barrier.
        """
        assert shader_pass.dispatch is not None
        self._start(shader_pass.dispatch, textures)
        buffers = [(binding, self._buffer(binding, textures)) for binding in shader_pass.dispatch.buffers]
        pictures = [(binding, self._picture(binding, textures)) for binding in shader_pass.dispatch.images]
        for number, (block, buffer) in enumerate(buffers):
            bind_block(shader, block.block, buffer, number)
        declared, unit, image_unit = images_of(text), len(shader_pass.samplers), 0
        for image, picture in pictures:
            member = shader.get(image.uniform, None)
            if not isinstance(member, moderngl.Uniform):
                continue
            found = declared.get(image.uniform)
            if found is not None and found.is_sampler:
                picture.use(unit)
                member.value = unit
                unit += 1
            else:
                _bind_image(picture, image_unit, found)
                _set_unit(shader, member, image_unit)
                image_unit += 1
        for binding in shader_pass.dispatch.bound:
            if binding.key in shader_pass.outputs:
                self._twins.wrote(binding.key, _place(binding))

    def _buffer(self, binding: BufferBinding, textures: Mapping[str, StoredTensor]) -> moderngl.Buffer:
        stored = textures[binding.key]
        return self._twins.buffer(stored, self._texture(stored), binding.numbers)

    def _picture(self, binding: ImageBinding, textures: Mapping[str, StoredTensor]) -> Picture:
        stored = textures[binding.key]
        return self._twins.image(stored, binding.size, self._texture(stored))


def bind_block(shader: moderngl.ComputeShader, block: str, buffer: moderngl.Buffer, binding: int) -> None:
    """Binds a buffer to a storage block with that number; a driver may have removed an unused one."""
    member = shader.get(block, None)
    if isinstance(member, moderngl.StorageBlock):
        member.binding = binding
        buffer.bind_to_storage_buffer(binding)


def _bind_image(picture: Picture, unit: int, declared: Image | None) -> None:
    form = FORMATS[declared.format][0] if declared is not None and declared.format else 0
    read = declared is None or not declared.is_writeonly
    write = declared is None or not declared.is_readonly
    picture.bind_to_image(unit, read=read, write=write, format=form)


def _set_unit(shader: moderngl.ComputeShader, uniform: moderngl.Uniform, unit: int) -> None:
    """Sets an image's unit: moderngl only does so for images of two dimensions."""
    from OpenGL.raw.GL.VERSION.GL_4_1 import glProgramUniform1i

    glProgramUniform1i(shader.glo, uniform.location, unit)


def _place(binding: BufferBinding | ImageBinding) -> Place:
    if isinstance(binding, BufferBinding):
        return binding.numbers or BUFFER
    return binding.size or TEXTURE
