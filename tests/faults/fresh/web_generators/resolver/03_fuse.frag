#version 300 es
// 03 fuse: conv 1x1, 16 -> 8, scaled and added to feat. Written by export_glsl.py, weights inline.
precision highp float;
precision highp int;
precision highp sampler2D;

uniform sampler2D u_feat;
uniform sampler2D u_dense1;
uniform sampler2D u_dense2;
uniform int u_width;
out vec4 o_color;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    int group = p.x / u_width;
    ivec2 q = ivec2(p.x - group * u_width, p.y);
    vec4 f0 = texelFetch(u_feat, q, 0);
    vec4 f1 = texelFetch(u_feat, q + ivec2(u_width, 0), 0);
    vec4 d1 = texelFetch(u_dense1, q, 0);
    vec4 d2 = texelFetch(u_dense2, q, 0);
    vec4 r = vec4(0.0);
    switch (group) {
        case 0:
            r = vec4(-0.410, 0.088, -0.159, -0.198);
            r += mat4(0.367, 0.001, 0.287, -0.230,
                      -0.383, -0.293, -0.214, -0.285,
                      0.040, -0.326, 0.610, 1.058,
                      -0.487, 0.035, 0.243, 0.131) * f0;
            r += mat4(0.283, 0.513, 0.270, -0.429,
                      0.364, -0.053, 0.185, -0.237,
                      -0.370, 0.252, 0.163, 0.021,
                      -0.538, 0.311, 0.295, 0.054) * f1;
            r += mat4(0.154, 0.165, 0.615, 0.185,
                      0.149, 0.744, 0.223, -0.267,
                      -0.617, -0.390, -0.090, 0.382,
                      -0.121, -0.442, -0.058, -0.965) * d1;
            r += mat4(-0.157, -0.674, 0.114, 0.065,
                      -0.165, -0.032, -0.042, -0.467,
                      -0.228, -0.103, 0.521, -0.084,
                      -0.509, 0.481, -0.082, -0.896) * d2;
            break;
        case 1:
            r = vec4(0.455, 1.245, 0.600, 0.298);
            r += mat4(-0.924, -0.739, -0.191, 0.032,
                      -0.440, -0.047, 0.446, 0.324,
                      -0.036, 0.175, -0.113, 0.037,
                      -0.184, -0.329, -0.717, -0.202) * f0;
            r += mat4(0.086, -0.147, 0.277, 0.284,
                      0.479, -0.310, -0.088, -0.070,
                      0.070, -0.035, -0.956, -0.063,
                      1.197, -1.123, -0.102, 0.199) * f1;
            r += mat4(0.055, 0.210, 0.104, -0.246,
                      -0.135, -0.285, -0.280, -0.199,
                      0.300, -0.110, 0.098, -0.881,
                      0.075, 0.248, -0.426, 0.263) * d1;
            r += mat4(-0.489, 0.418, -0.144, -0.649,
                      -0.491, 0.160, 0.192, -0.155,
                      0.958, -0.001, 0.690, -0.141,
                      -0.346, -0.127, -0.660, 0.283) * d2;
            break;
    }
    vec4 skip = group == 0 ? f0 : f1;
    o_color = r * 0.4 + skip;
}
