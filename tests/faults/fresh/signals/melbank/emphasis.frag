#version 330
#include "lanes.glsl"
// a sample less most of the one before; before the first there is the first
uniform sampler2D SOUND;
uniform int WIDTH;
out vec4 res;
#define KEEP 0.95
void main() {
    FOR_LANES(i) res[lane] = EL(SOUND, i) - KEEP * EL(SOUND, max(i - 1, 0));
}
