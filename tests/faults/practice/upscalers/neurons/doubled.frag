#version 330
// The lines that there are, and between them those that were made
uniform sampler2D LUMA;
uniform sampler2D LINE;
out float luma;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 from = ivec2(at.x, at.y >> 1);
    if ((at.y & 1) == 0) {
        luma = texelFetch(LUMA, from, 0).x;
    } else {
        luma = texelFetch(LINE, from, 0).x;
    }
}
