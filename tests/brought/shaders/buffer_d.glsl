#include "common.glsl"
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    fragColor = tanh(EDGE * texelFetch(iChannel0, ivec2(fragCoord), 0));
}
