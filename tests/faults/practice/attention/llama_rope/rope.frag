#version 330
// Rotary positions: feature i of a head turns with feature i + half, by the angle of token t and pair i.
uniform sampler2D x;
uniform sampler2D cos_table;
uniform sampler2D sin_table;
uniform int head_dim;
out float y;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    int half_dim = head_dim / 2;
    int head = pos.x / head_dim;
    int in_head = pos.x - head * head_dim;
    int pair = in_head % half_dim;

    float lo = texelFetch(x, ivec2(head * head_dim + pair, pos.y), 0).x;
    float hi = texelFetch(x, ivec2(head * head_dim + pair + half_dim, pos.y), 0).x;
    float c = texelFetch(cos_table, ivec2(pair, pos.y), 0).x;
    float s = texelFetch(sin_table, ivec2(pair, pos.y), 0).x;

    y = in_head < half_dim ? lo * c - hi * s : hi * c + lo * s;
}
