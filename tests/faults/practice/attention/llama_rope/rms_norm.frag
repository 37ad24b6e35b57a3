#version 330
// Root mean square norm. A token is a row of texels.
uniform sampler2D x;
uniform sampler2D weight;
uniform int dim;
uniform float eps;
out float y;

void main() {
    ivec2 pos = ivec2(gl_FragCoord.xy);
    float squares = 0.0;
    for (int c = 0; c < dim; c++) {
        float v = texelFetch(x, ivec2(c, pos.y), 0).x;
        squares += v * v;
    }
    float rms = sqrt(squares / float(dim) + eps);
    y = texelFetch(x, pos, 0).x / rms * texelFetch(weight, ivec2(pos.x, 0), 0).x;
}
