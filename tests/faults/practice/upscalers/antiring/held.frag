#version 330
// What the blur took away is added, and no pixel leaves the range of its neighbours
in vec2 pos;
uniform sampler2D MAIN;
uniform sampler2D BLUR;
uniform vec2 MAIN_pt;
uniform float strength;
out vec4 color;
#define MAIN_texOff(x, y) texture(MAIN, pos + vec2(x, y) * MAIN_pt)
void main() {
    vec4 here = MAIN_texOff(0.0, 0.0);
    vec4 lowest = here;
    vec4 highest = here;
    for (float y = -1.0; y <= 1.0; y += 1.0) {
        for (float x = -1.0; x <= 1.0; x += 1.0) {
            vec4 near = MAIN_texOff(x, y);
            lowest = min(lowest, near);
            highest = max(highest, near);
        }
    }
    vec4 detail = here - texture(BLUR, pos);
    color = clamp(here + strength * detail, lowest, highest);
}
