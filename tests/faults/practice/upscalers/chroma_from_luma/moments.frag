#version 330
// Covariance of luma with both planes of chroma, and the variance of luma, over 3x3 inside the picture
uniform sampler2D LUMA_LOW;
uniform sampler2D CHROMA;
out vec4 moments;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(CHROMA, 0);
    float count = 0.0, mean = 0.0, square = 0.0;
    vec2 chroma_mean = vec2(0.0), product = vec2(0.0);
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            ivec2 from = at + ivec2(dx, dy);
            if (from.x < 0 || from.y < 0 || from.x >= size.x || from.y >= size.y) continue;
            float luma = texelFetch(LUMA_LOW, from, 0).r;
            vec2 chroma = texelFetch(CHROMA, from, 0).rg;
            count += 1.0;
            mean += luma;
            square += luma * luma;
            chroma_mean += chroma;
            product += luma * chroma;
        }
    }
    mean /= count;
    chroma_mean /= count;
    float variance = square / count - mean * mean;
    vec2 covariance = product / count - mean * chroma_mean;
    moments = vec4(covariance, variance, 0.0);
}
