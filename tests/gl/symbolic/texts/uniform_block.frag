#version 330
// values in blocks of uniforms, by an instance and without
struct Light { vec3 colour; float strength; };
layout(std140) uniform Scene { vec4 ambient; Light lights[2]; mat3 turn; } scene;
layout(std140) uniform Loose { float exposure; ivec2 offset; };
uniform sampler2D u_image;
uniform float u_default = 1.5;
uniform Light u_light;
layout(location = 0) out vec4 result;
layout(location = 1) out vec4 other;

vec3 lit(vec3 c, Light l) { return c * l.colour * l.strength; }

void main() {
    vec3 c = texelFetch(u_image, ivec2(gl_FragCoord.xy) + offset, 0).rgb;
    vec3 sum = scene.ambient.rgb * c;
    for (int i = 0; i < 2; i++) sum += lit(c, scene.lights[i]);
    sum = scene.turn * sum + lit(c, u_light);
    other = vec4(sum, 1.0);
    result = vec4(1.0 - exp(-abs(sum) * exposure), u_default);
}
