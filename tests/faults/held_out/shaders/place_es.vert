#version 300 es

out vec2 vPlace;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    vPlace = corner * 0.5 + 0.5;
    gl_Position = vec4(corner, 0.0, 1.0);
}
