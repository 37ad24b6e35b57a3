#version 330 core
// 1x1 in two groups of four, batch norm folded to factor and offset, the shortcut, ReLU.
uniform sampler2D t_X;
uniform sampler2D t_W;         // 8 texels, three across
uniform sampler2D t_SCALE;
uniform sampler2D t_SHIFT;
uniform sampler2D t_MEAN;
uniform sampler2D t_VAR;
uniform sampler2D t_SHORTCUT;

out vec4 Y;

vec4 row(int o) { return texelFetch(t_W, ivec2(o % 3, o / 3), 0); }

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    int group = here.x / 11;
    vec4 a = texelFetch(t_X, here, 0);
    int o = group * 4;
    vec4 s = vec4(dot(a, row(o)), dot(a, row(o + 1)), dot(a, row(o + 2)), dot(a, row(o + 3)));

    vec4 factor = texelFetch(t_SCALE, ivec2(group, 0), 0) * inversesqrt(texelFetch(t_VAR, ivec2(group, 0), 0) + 0.01);
    vec4 offset = texelFetch(t_SHIFT, ivec2(group, 0), 0) - texelFetch(t_MEAN, ivec2(group, 0), 0) * factor;
    vec4 joined = s * factor + offset + texelFetch(t_SHORTCUT, here, 0);
    Y = max(joined, 0.0);
}
