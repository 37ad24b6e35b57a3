#version 300 es
// 1x1 over both ways up, then a sigmoid: a mask for each class
precision highp float;
precision highp sampler2D;

uniform sampler2D u_joined;
uniform sampler2D u_raised;
uniform sampler2D u_weights;   // 9 x 3, a row for each mask
uniform sampler2D u_bias;
uniform vec2 u_tile;
uniform vec2 u_joined_grid;
uniform vec2 u_raised_grid;
uniform vec2 u_out_grid;
uniform float u_outputs;

in vec2 v_uv;
out vec4 fragColor;

void main() {
    vec2 grid_uv = v_uv * u_out_grid;
    vec2 tile = floor(grid_uv);
    vec2 uv = fract(grid_uv);
    float id = tile.y * u_out_grid.x + tile.x;
    float row = (id + 0.5) / u_outputs;

    float acc = texture(u_bias, vec2(row, 0.5)).r;
    for (float i = 0.0; i < 5.0; i++) {
        vec2 t = vec2(mod(i, u_joined_grid.x), floor((i + 0.5) / u_joined_grid.x));
        acc += texture(u_joined, (t + uv) / u_joined_grid).r * texture(u_weights, vec2((i + 0.5) / 9.0, row)).r;
    }
    for (float i = 0.0; i < 4.0; i++) {
        vec2 t = vec2(mod(i, u_raised_grid.x), floor((i + 0.5) / u_raised_grid.x));
        acc += texture(u_raised, (t + uv) / u_raised_grid).r * texture(u_weights, vec2((i + 5.5) / 9.0, row)).r;
    }
    fragColor = vec4(1.0 / (1.0 + exp(-acc)));
}
