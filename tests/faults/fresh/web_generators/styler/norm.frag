// instance norm, step 3: whiten, gain, shift, relu
precision highp float;
precision highp sampler2D;

varying vec2 v_uv;

uniform sampler2D u_map;
uniform sampler2D u_mean;
uniform sampler2D u_rsigma;
uniform sampler2D u_gamma;
uniform sampler2D u_beta;
uniform vec2 u_grid;

void main() {
    vec2 tile = floor(v_uv * u_grid);
    vec2 channel = vec2((tile.y * u_grid.x + tile.x + 0.5) / 6.0, 0.5);

    float x = texture2D(u_map, v_uv).r;
    float mean = texture2D(u_mean, channel).r;
    float rsigma = texture2D(u_rsigma, channel).r;
    float gamma = texture2D(u_gamma, channel).r;
    float beta = texture2D(u_beta, channel).r;

    float y = (x - mean) * rsigma;
    y = y * gamma + beta;
    gl_FragColor = vec4(max(y, 0.0));
}
