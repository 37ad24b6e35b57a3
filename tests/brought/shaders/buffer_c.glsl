#include "common.glsl"
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    ivec2 p = ivec2(fragCoord);
    fragColor = texelFetch(iChannel0, p, 0) + 0.5 * texelFetch(iChannel1, p, 0);
}
