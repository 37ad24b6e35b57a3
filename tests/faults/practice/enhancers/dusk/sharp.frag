#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_mixed;
out vec4 o_sharp;

const float CLARITY = 0.8;
const int RADIUS = 2;

vec3 local_mean(ivec2 here) {
    ivec2 size = textureSize(u_mixed, 0);
    ivec2 low = max(here - RADIUS, ivec2(0));
    ivec2 high = min(here + RADIUS, size - 1);
    vec3 sum = vec3(0.0);
    for (int y = low.y; y <= high.y; y++) {
        for (int x = low.x; x <= high.x; x++) {
            sum += texelFetch(u_mixed, ivec2(x, y), 0).rgb;
        }
    }
    ivec2 sides = high - low + 1;
    return sum / float(sides.x * sides.y);
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 colour = texelFetch(u_mixed, here, 0).rgb;
    vec3 fine = colour - local_mean(here);
    o_sharp = vec4(colour + CLARITY * fine, 1.0);
}
