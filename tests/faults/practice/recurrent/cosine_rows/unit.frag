#version 330
uniform sampler2D rows;
uniform sampler2D lengths;
out float value;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    value = texelFetch(rows, at, 0).r / max(texelFetch(lengths, ivec2(0, at.y), 0).r, 1e-3);
}
