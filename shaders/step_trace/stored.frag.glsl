#version 330 core
// Writes a value into a target, which rounds it to its own type.

uniform vec4 u_value;
out vec4 value;

void main() {
    value = u_value;
}
