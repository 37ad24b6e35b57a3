#version 300 es
precision highp float;
precision highp sampler2D;

uniform sampler2D u_graded;
out vec4 o_normed;

const float EPSILON = 0.01;
const vec3 SCALE = vec3(0.9918, 0.8757, 1.1759);
const vec3 SHIFT = vec3(0.5058, -0.0225, -0.2191);

struct Moments {
    vec3 mean;
    vec3 variance;
};

Moments moments() {
    ivec2 size = textureSize(u_graded, 0);
    float count = float(size.x * size.y);
    Moments m = Moments(vec3(0.0), vec3(0.0));
    for (int y = 0; y < size.y; y++)
        for (int x = 0; x < size.x; x++)
            m.mean += texelFetch(u_graded, ivec2(x, y), 0).rgb;
    m.mean /= count;
    for (int y = 0; y < size.y; y++)
        for (int x = 0; x < size.x; x++) {
            vec3 apart = texelFetch(u_graded, ivec2(x, y), 0).rgb - m.mean;
            m.variance += apart * apart;
        }
    m.variance /= count;
    return m;
}

void main() {
    Moments m = moments();
    vec3 colour = texelFetch(u_graded, ivec2(gl_FragCoord.xy), 0).rgb;
    vec3 normed = (colour - m.mean) / sqrt(m.variance + EPSILON);
    o_normed = vec4(normed * SCALE + SHIFT, 1.0);
}
