#version 330 core

out vec2 place;

void main() {
    float x = gl_VertexID == 1 ? 3.0 : -1.0;
    float y = gl_VertexID == 2 ? 3.0 : -1.0;
    place = vec2(x, y) * 0.5 + 0.5;
    gl_Position = vec4(x * 0.75, y * 0.75, 0.0, 1.0);
}
