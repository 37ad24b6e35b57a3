#version 330
// The candidate: tanh of a 3x3 convolution of the reset state and of x
uniform sampler2D u_state;
uniform sampler2D u_x;
uniform sampler2D u_zr;
uniform sampler2D u_weight;
uniform sampler2D u_bias;
out vec4 candidate;
vec4 column(int c, int tap) {
    vec4 w;
    for (int o = 0; o < 4; o++) w[o] = texelFetch(u_weight, ivec2(tap % 3, (o * 7 + c) * 3 + tap / 3), 0).x;
    return w;
}
void main() {
    ivec2 size = textureSize(u_state, 0);
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 sum;
    for (int o = 0; o < 4; o++) sum[o] = texelFetch(u_bias, ivec2(o, 0), 0).x;
    for (int tap = 0; tap < 9; tap++) {
        ivec2 from = at + ivec2(tap % 3, tap / 3) - 1;
        bool inside = all(greaterThanEqual(from, ivec2(0))) && all(lessThan(from, size));
        if (!inside) continue;
        vec4 reset = texelFetch(u_zr, ivec2(from.x + size.x, from.y), 0);
        vec4 h = reset * texelFetch(u_state, from, 0);
        vec4 x = texelFetch(u_x, from, 0);
        sum += column(0, tap) * h.x + column(1, tap) * h.y + column(2, tap) * h.z + column(3, tap) * h.w;
        sum += column(4, tap) * x.x + column(5, tap) * x.y + column(6, tap) * x.z;
    }
    candidate = tanh(sum);
}
