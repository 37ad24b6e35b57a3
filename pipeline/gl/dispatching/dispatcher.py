"""Dispatching a pass: its buffers and images bound by name, work groups run, and noted where the outputs are now."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import moderngl

from texelscope.pipeline.gl.dispatching.twins import BUFFER, TEXTURE, Picture, Place, Twins
from texelscope.pipeline.glsl.resources import FORMATS, Image, images_of
from texelscope.pipeline.plan import BufferBinding, Dispatch, ImageBinding, Pass, StoredTensor

TextureOf = Callable[[StoredTensor], moderngl.Texture]


class Dispatcher:
    """Dispatches passes over tensors whose textures `texture` gives, and their `twins`."""

    def __init__(self, context: moderngl.Context, twins: Twins, texture: TextureOf) -> None:
        self._context = context
        self._twins = twins
        self._texture = texture

    def _start(self, dispatch: Dispatch, textures: Mapping[str, StoredTensor]) -> None:
        """Puts into each output that is changed in place what it starts as."""
        for binding in dispatch.bound:
            if binding.starts_as:
                start, own = textures[binding.starts_as], textures[binding.key]
                source = self._twins.buffer(start, self._texture(start))
                target = self._twins.buffer(own, self._texture(own))
                self._context.copy_buffer(target, source)
                self._twins.wrote(binding.key, BUFFER)

    def bind(self, each: Pass, shader: moderngl.ComputeShader, text: str, textures: Mapping[str, StoredTensor]) -> None:
        """Binds buffers and images to `shader`, the pass's own or a variant, which declares images as `text` does.

        What an output is changed from is put into it; what else it holds is kept where nothing is written. From now on
        the outputs are where the shader writes them: the caller runs it, with a memory barrier behind.
        """
        assert each.dispatch is not None
        self._start(each.dispatch, textures)
        buffers = [(binding, self._buffer(binding, textures)) for binding in each.dispatch.buffers]
        pictures = [(binding, self._picture(binding, textures)) for binding in each.dispatch.images]
        for number, (block, buffer) in enumerate(buffers):
            bind_block(shader, block.block, buffer, number)
        declared, unit, image_unit = images_of(text), len(each.samplers), 0
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
        for binding in each.dispatch.bound:
            if binding.key in each.outputs:
                self._twins.wrote(binding.key, _place(binding))

    def _buffer(self, binding: BufferBinding, textures: Mapping[str, StoredTensor]) -> moderngl.Buffer:
        stored = textures[binding.key]
        return self._twins.buffer(stored, self._texture(stored))

    def _picture(self, binding: ImageBinding, textures: Mapping[str, StoredTensor]) -> Picture:
        stored = textures[binding.key]
        return self._twins.image(stored, binding.size, self._texture(stored))


def bind_block(shader: moderngl.ComputeShader, block: str, buffer: moderngl.Buffer, binding: int) -> None:
    """Binds a buffer to a storage block, under that number; a driver may have removed one that has no effect."""
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
    """Tells an image its unit: moderngl takes the call for images of two dimensions alone, and sets no other."""
    from OpenGL.raw.GL.VERSION.GL_4_1 import glProgramUniform1i

    glProgramUniform1i(shader.glo, uniform.location, unit)


def _place(binding: BufferBinding | ImageBinding) -> Place:
    return BUFFER if isinstance(binding, BufferBinding) else binding.size or TEXTURE
