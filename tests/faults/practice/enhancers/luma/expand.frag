#version 330 core

uniform sampler2D u_map;

out vec4 expand;

// Channels 0 to 3 in the left half of the target, 4 to 7 in the right one.
const mat4 LEFT = mat4(0.1857, 0.1738, 0.3911, -0.0758, 0.4919, -0.6119, 0.5523, -0.0021, 0.5968, -0.7085, -0.0408, -0.3499, 0.1539, -0.1144, -0.4419, -0.0731);
const mat4 RIGHT = mat4(0.3622, 0.2003, -0.5704, -0.2511, -0.2137, 0.2100, 0.5373, -0.0690, -0.0225, -0.1730, 0.0111, -0.9130, 0.7415, 0.3596, -0.3261, -0.1535);
const vec4 BIAS[2] = vec4[2](vec4(-0.0197, -0.2242, 0.0170, 0.1302), vec4(-0.2591, -0.1447, 0.0539, 0.2794));
const vec4 SLOPES[2] = vec4[2](vec4(0.1778, 0.2604, 0.1612, 0.2566), vec4(0.3069, 0.1797, 0.3252, 0.6331));

void main() {
    int x = int(gl_FragCoord.x), y = int(gl_FragCoord.y);
    int width = textureSize(u_map, 0).x;
    int half_ = x / width;
    vec4 v = texelFetch(u_map, ivec2(x - half_ * width, y), 0);
    vec4 s = half_ == 0 ? LEFT * v : RIGHT * v;
    s += BIAS[half_];
    expand = max(s, 0.0) + SLOPES[half_] * min(s, 0.0);
}
