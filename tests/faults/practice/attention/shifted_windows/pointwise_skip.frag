#version 330 core
// 1x1 convolution over G_IN groups of four channels, on top of the skip.
uniform sampler2D image;
uniform sampler2D weight;
uniform sampler2D bias;
uniform sampler2D skip;
uniform int weight_columns;

out vec4 features;

const int H = 8;
const int W = 12;

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy);
    ivec2 tile = p / ivec2(W, H);
    ivec2 at = p - tile * ivec2(W, H);
    int group = tile.y * OUT_ACROSS + tile.x;
    if (group >= G_OUT) {
        features = vec4(0.0);
        return;
    }

    vec4 sum = vec4(0.0);
    for (int g = 0; g < G_IN; g++) {
        vec4 v = texelFetch(image, ivec2(g % IN_ACROSS, g / IN_ACROSS) * ivec2(W, H) + at, 0);
        mat4 rows;
        for (int lane = 0; lane < 4; lane++) {
            int n = (group * 4 + lane) * G_IN + g;
            rows[lane] = texelFetch(weight, ivec2(n % weight_columns, n / weight_columns), 0);
        }
        sum += v * rows;
    }
    sum += texelFetch(bias, ivec2(group, 0), 0);
    sum += texelFetch(skip, p, 0);
    features = sum;
}
