// y = x, texel by texel, as numbers of 32 bits

layout(location = 0) out vec4 Y;

void main() {
    Y = texelFetch(t_X, ivec2(gl_FragCoord.xy), 0);
}
