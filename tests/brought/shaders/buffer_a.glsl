#include "common.glsl"
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    fragColor = EDGE * around(iChannel0, ivec2(fragCoord), iResolution.xy);
}
