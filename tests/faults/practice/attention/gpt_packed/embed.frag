#version 330 core
// Token embeddings plus learned positions, four features a texel.
uniform sampler2D token_table;
uniform sampler2D position_table;
layout(location = 0) out vec4 result;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    result = texelFetch(token_table, p, 0) + texelFetch(position_table, p, 0);
}
