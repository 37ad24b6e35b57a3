#version 330
// y = layer_norm(x + context Wo + bo): the norm comes after the sum, as in the first transformers.
// A fragment needs the whole row, so each makes it anew; d_model is small.

#define D_MODEL 10

uniform sampler2D t_x;
uniform sampler2D t_context;
uniform sampler2D t_weight;
uniform sampler2D t_bias;
uniform sampler2D t_gamma;
uniform sampler2D t_beta;
uniform float u_epsilon;
out float o_y;

float at(sampler2D t, int row, int column) { return texelFetch(t, ivec2(column, row), 0).r; }

float added(int t, int o) {
    float sum = at(t_bias, 0, o);
    for (int i = 0; i < D_MODEL; ++i) sum += at(t_context, t, i) * at(t_weight, i, o);
    return at(t_x, t, o) + sum;
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    float row[D_MODEL];
    float mean = 0.0;
    for (int o = 0; o < D_MODEL; ++o) {
        row[o] = added(p.y, o);
        mean += row[o] / float(D_MODEL);
    }
    float var = 0.0;
    for (int o = 0; o < D_MODEL; ++o) {
        var += (row[o] - mean) * (row[o] - mean) / float(D_MODEL);
    }
    float unit = (row[p.x] - mean) / sqrt(var + u_epsilon);
    o_y = unit * at(t_gamma, 0, p.x) + at(t_beta, 0, p.x);
}
