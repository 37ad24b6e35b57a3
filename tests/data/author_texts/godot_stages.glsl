#[vertex]

#version 450

layout(location = 0) out vec2 uv_interp;

void main() {
    vec2 base_arr[3] = vec2[](vec2(-1.0, -1.0), vec2(-1.0, 3.0), vec2(3.0, -1.0));
    gl_Position = vec4(base_arr[gl_VertexIndex], 0.0, 1.0);
    uv_interp = gl_Position.xy * 0.5 + 0.5;
}

#[fragment]

#version 450

layout(location = 0) in vec2 uv_interp;
layout(set = 0, binding = 0) uniform sampler2D source_color;
layout(location = 0) out vec4 frag_color;

layout(push_constant, std430) uniform Params {
    vec4 tint;
    float luminance_multiplier;
    float pad[3];
} params;

void main() {
    frag_color = textureLod(source_color, uv_interp, 0.0) * params.tint * params.luminance_multiplier;
}
