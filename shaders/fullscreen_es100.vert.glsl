#version 100
// One triangle that covers the whole target, for shaders of WebGL 1: gl_VertexID is not there yet.

attribute vec2 a_position;

void main() {
    vec2 corner = a_position * 0.5 + 0.5;
    gl_Position = vec4(a_position, 0.0, 1.0);
}
