#version 330 core
#include "circle.glsl"
void main() {}
