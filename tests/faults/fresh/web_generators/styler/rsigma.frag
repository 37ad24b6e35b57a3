// instance norm, step 2: one over the deviation of every tile
precision highp float;
precision highp sampler2D;

uniform sampler2D u_map;
uniform sampler2D u_mean;
uniform vec2 u_texel;
uniform float u_eps;

const int W = 15;
const int H = 11;

void main() {
    float channel = floor(gl_FragCoord.x);
    float mean = texture2D(u_mean, vec2((channel + 0.5) / 6.0, 0.5)).r;
    float column = mod(channel, 3.0);
    float row = floor(channel / 3.0);

    float total = 0.0;
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            vec2 at = vec2(column * 15.0 + float(x), row * 11.0 + float(y));
            float d = texture2D(u_map, (at + 0.5) * u_texel).r - mean;
            total += d * d;
        }
    }
    float variance = total / float(W * H);
    gl_FragColor = vec4(inversesqrt(variance + u_eps));
}
