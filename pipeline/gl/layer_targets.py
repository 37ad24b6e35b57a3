"""Makes each layer of an array texture a colour of one framebuffer, which moderngl does not offer."""

from __future__ import annotations

import moderngl

_FRAMEBUFFER = 0x8D40
_COLOR_ATTACHMENT0 = 0x8CE0


def target_of_layers(context: moderngl.Context, texture: moderngl.TextureArray) -> moderngl.Framebuffer:
    """Returns a framebuffer whose colours are the texture's layers, in their order; the caller releases it.

    moderngl makes it of textures of that size, whose places the layers take. The framebuffer that was bound is bound
    again.
    """
    from OpenGL.raw.GL.VERSION.GL_3_0 import glBindFramebuffer, glFramebufferTextureLayer

    before = context.fbo
    size, lanes = (texture.width, texture.height), texture.components
    stand_ins = [context.texture(size, lanes, dtype=texture.dtype) for _ in range(texture.layers)]
    target = context.framebuffer(stand_ins)
    glBindFramebuffer(_FRAMEBUFFER, target.glo)
    for layer in range(texture.layers):
        glFramebufferTextureLayer(_FRAMEBUFFER, _COLOR_ATTACHMENT0 + layer, texture.glo, 0, layer)
    for stand_in in stand_ins:
        stand_in.release()
    if before is not None:
        before.use()
    return target
