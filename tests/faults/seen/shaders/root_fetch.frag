#version 330 core
// The square root of absolute values.

uniform sampler2D u_x;
out float y;

void main() {
    float size = abs(texelFetch(u_x, ivec2(gl_FragCoord.xy), 0).r);
    y = sqrt(size);
}
