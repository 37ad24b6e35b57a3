#version 300 es
// Mean over a whole picture, four channels at once.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D t_x;
uniform ivec2 u_size;   // width, height

layout(location = 0) out vec4 o_mean;

void main() {
    ivec2 corner = ivec2(gl_FragCoord.xy) * u_size;
    vec4 total = vec4(0.0);
    for (int y = 0; y < u_size.y; ++y)
        for (int x = 0; x < u_size.x; ++x)
            total += texelFetch(t_x, corner + ivec2(x, y), 0);
    o_mean = total / float(u_size.x * u_size.y);
}
