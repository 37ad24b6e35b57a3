#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_photo;
out vec4 o_means;

void main() {
    ivec2 size = textureSize(u_photo, 0);
    vec3 total = vec3(0.0);
    for (int y = 0; y < size.y; y++) {
        for (int x = 0; x < size.x; x++) {
            total += texelFetch(u_photo, ivec2(x, y), 0).rgb;
        }
    }
    o_means = vec4(total / float(size.x * size.y), 0.0);
}
