#version 330
// BT.709, full range
uniform sampler2D LUMA;
uniform sampler2D CHROMA;
out vec4 rgb;
const mat3 TO_RGB = mat3(
    1.0, 1.0, 1.0,
    0.0, -0.1873, 1.8556,
    1.5748, -0.4681, 0.0
);
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 ycc = vec3(texelFetch(LUMA, at, 0).x, texelFetch(CHROMA, at, 0).xy);
    ycc.yz -= 0.5;
    rgb = vec4(TO_RGB * ycc, 1.0);
}
