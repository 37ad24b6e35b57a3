// The page puts "#version 300 es" in front.
uniform sampler2D u_image;
uniform float u_gain;
in vec2 v_uv;
out vec4 result;

void main() {
    result = tanh(u_gain * texture(u_image, v_uv));
}
