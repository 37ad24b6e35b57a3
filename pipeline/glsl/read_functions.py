"""Built-in functions that read textures."""

from __future__ import annotations

READS = frozenset(
    {
        "texture", "textureLod", "textureGrad", "textureOffset", "textureLodOffset", "texelFetch", "texelFetchOffset",
        "texture2D", "texture2DLod",
    }
)  # fmt: skip

# Reads that have no wrapper: said by name, never passed over.
OTHER_READS = frozenset(
    {
        "texture2DProj", "textureProj", "textureProjOffset", "textureProjLod",
        "textureProjGrad", "textureGradOffset", "textureGather", "textureGatherOffset", "imageLoad",
    }
)  # fmt: skip
