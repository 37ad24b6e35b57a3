#version 330
// Second pass: exp(x - largest) / sum

uniform sampler2D t_x;
uniform sampler2D t_max;
uniform sampler2D t_sum;
uniform ivec2 u_size;

out vec4 o_y;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 p = at % u_size;
    float largest = texelFetch(t_max, p, 0).r;
    float inv = 1.0 / texelFetch(t_sum, p, 0).r;
    o_y = exp(texelFetch(t_x, at, 0) - vec4(largest)) * inv;
}
