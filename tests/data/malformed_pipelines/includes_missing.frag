#version 330 core
#include "functons.glsl"
void main() {}
