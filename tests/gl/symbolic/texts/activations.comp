#version 430
// which activation, by a constant; overloaded functions, a switch that falls through, loops of every kind
layout(local_size_x = 16) in;
layout(constant_id = 3) const int kind = 0;
layout(std430) readonly buffer In { float src[]; };
layout(std430) buffer Out { float dst[]; };
layout(push_constant) uniform Push { int count; float slope; vec4 table[2]; } push;

const float POINTS[] = float[](0.25, 0.5, 1.0, 2.0);
#define SQR(x) ((x) * (x))

float act(float v) {
    switch (kind) {
        case 0: return v;
        case 1: return max(v, 0.0);
        case 2:
        case 3: {
            if (v < 0.0) return v * push.slope;
            return v;
        }
        default: break;
    }
    return v / (1.0 + exp(-v));
}

vec2 act(vec2 v) { return vec2(act(v.x), act(v.y) + 1.0); }
int act(int v) { return v * 3; }

void main() {
    int i = int(gl_GlobalInvocationID.x);
    if (i >= push.count) return;
    vec2 both = act(vec2(src[i], -src[i]));
    int n = act(i), turns = 0;
    do { n -= 4; turns++; } while (n > 0);
    float sum = 0.0;
    while (true) {
        sum += SQR(POINTS[turns & 3]) * push.table[turns & 1][turns % 4];
        if (--turns <= 0) break;
    }
    for (float f = 0.0; f < 1.0; f += 0.25) sum += f;
    float step_up = src[i] > 0.5 ? 2.0 : src[i] > 0.0 ? 1.0 : 0.0;
    dst[i] = act(src[i]) + both.x - both.y + sum + step_up;
}
