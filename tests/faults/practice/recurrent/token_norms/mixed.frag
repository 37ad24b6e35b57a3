#version 330
// Root mean square norm in one pass, SiLU, and what went in
uniform sampler2D x;
uniform sampler2D gain;
uniform float epsilon;
uniform int width;
out float result;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float squares = 0.0;
    for (int k = 0; k < width; k++) {
        float value = texelFetch(x, ivec2(k, at.y), 0).x;
        squares += value * value;
    }
    float rms = sqrt(squares / float(width) + epsilon);
    float here = texelFetch(x, at, 0).x;
    float normed = here / rms * texelFetch(gain, ivec2(at.x, 0), 0).x;
    result = normed / (1.0 + exp(-normed)) + here;
}
