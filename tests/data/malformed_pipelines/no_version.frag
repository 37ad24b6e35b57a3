precision highp float;
#version 300 es
void main() {}
