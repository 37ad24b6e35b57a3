#version 400
// gathers, offsets, and a read between texels that wraps around
uniform sampler2D u_image;
uniform sampler2D u_smooth;
out vec4 color;

void main() {
    vec2 size = vec2(textureSize(u_image, 0));
    vec2 uv = gl_FragCoord.xy / size;
    vec4 four = textureGather(u_image, uv + 0.3 / size, 1);
    vec4 moved = textureOffset(u_image, uv, ivec2(-1, 1)) - texelFetchOffset(u_image, ivec2(gl_FragCoord), 0, ivec2(0, -1));
    vec4 smooth_ = textureLod(u_smooth, uv * 1.7 + vec2(0.21, 0.83), 0.0);
    color = four.wzyx + moved + smooth_;
}
