"""Words of GLSL: built-in functions that read textures, and words and signs of a text that is not parsed."""

from __future__ import annotations

import re

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

# A name, a number or a sign.
WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|\S")
