#version 330 core

uniform sampler2D tex_in;

layout(location = 0) out float o_value;

void main() {
    ivec2 xy = ivec2(gl_FragCoord.xy);

    float most = texelFetch(tex_in, ivec2(0, xy.y), 0).x;
    for (int k = 1; k < 7; k++)
        most = max(most, texelFetch(tex_in, ivec2(k, xy.y), 0).x);

    float sum = 0.0;
    for (int k = 0; k < 7; k++)
        sum += exp(texelFetch(tex_in, ivec2(k, xy.y), 0).x - most);

    o_value = exp(texelFetch(tex_in, xy, 0).x - most) / sum;
}
