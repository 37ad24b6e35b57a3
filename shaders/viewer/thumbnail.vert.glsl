#version 330 core
// Places a corner of a cell, and passes on what the cell shows.

in vec2 a_corner;
in vec4 a_place;
in vec4 a_values;
in float a_lanes;

flat out vec4 v_place;
flat out vec4 v_values;
flat out float v_lanes;

void main() {
    gl_Position = vec4(a_corner, 0.0, 1.0);
    v_place = a_place;
    v_values = a_values;
    v_lanes = a_lanes;
}
