#version 330
// Additive attention: features * sigmoid(bias + sum_k psi[k] * relu((theta x + phi g + beta)[k] / 4))
// theta and phi are 5 x 8, two texels a row, rows running on in the texture.

uniform sampler2D tFeatures;
uniform sampler2D tGating;
uniform sampler2D tTheta;
uniform sampler2D tPhi;
uniform sampler2D tBeta;
uniform sampler2D tPsi;
uniform ivec2 plane;
uniform int thetaWidth;
uniform float bias;
uniform int inner;
out vec4 value;

vec4 rowPart(sampler2D matrix, int row, int part) {
    int i = row * 2 + part;
    return texelFetch(matrix, ivec2(i % thetaWidth, i / thetaWidth), 0);
}

float element(sampler2D vector, int k) {
    return texelFetch(vector, ivec2(k / 4, 0), 0)[k % 4];
}

void main() {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    ivec2 here = texel % plane;
    ivec2 next = here + ivec2(plane.x, 0); // the second four channels lie to the right

    vec4 x0 = texelFetch(tFeatures, here, 0), x1 = texelFetch(tFeatures, next, 0);
    vec4 g0 = texelFetch(tGating, here, 0), g1 = texelFetch(tGating, next, 0);

    float logit = bias;
    for (int k = 0; k < inner; ++k) {
        float fromFeatures = dot(rowPart(tTheta, k, 0), x0) + dot(rowPart(tTheta, k, 1), x1);
        float fromGating = dot(rowPart(tPhi, k, 0), g0) + dot(rowPart(tPhi, k, 1), g1);
        float unit = (fromFeatures + fromGating + element(tBeta, k)) / 4.0;
        logit += element(tPsi, k) * max(unit, 0.0);
    }
    value = texelFetch(tFeatures, texel, 0) / (1.0 + exp(-logit));
}
