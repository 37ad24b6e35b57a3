#include "common.glsl"
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    fragColor = max(EDGE * around(iChannel0, ivec2(fragCoord), iResolution.xy) - 0.02, 0.0);
}
