#version 330
// Adaptive average pooling. Bin i of n covers floor(i * size / n) up to ceil((i + 1) * size / n): neighbours overlap.

uniform sampler2D tFeatures;
uniform ivec2 bins;
uniform ivec2 plane;
uniform int groups;
out vec4 pooled;

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 group = texel / bins;
    ivec2 bin = texel - group * bins;

    ivec2 first = bin * plane / bins;
    ivec2 last = ((bin + 1) * plane + bins - 1) / bins;

    vec4 sum = vec4(0);
    for (int y = first.y; y < last.y; ++y)
        for (int x = first.x; x < last.x; ++x)
            sum += texelFetch(tFeatures, group * plane + ivec2(x, y), 0);

    ivec2 extent = last - first;
    pooled = sum / float(extent.x * extent.y);
}
