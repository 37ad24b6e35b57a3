#version 450

layout(set = 0, binding = 0) uniform sampler2D tex;
layout(push_constant) uniform constants { float gain; };
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main() {
    color = gain * texture(tex, uv);
}
