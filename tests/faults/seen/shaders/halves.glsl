//!DESC edges of four directions
//!HOOK LUMA
//!BIND LUMA
//!SAVE edges
//!COMPONENTS 4
vec4 hook() {
    vec4 result = vec4(0.7176, -0.8063, -0.6341, -0.1519);
    result += vec4(0.8316, 0.5394, -0.0618, -0.4173) * LUMA_texOff(vec2(-1.0, 0.0)).x;
    result += vec4(-0.8747, 0.1936, -0.1749, 0.1640) * LUMA_texOff(vec2(0.0, 0.0)).x;
    result += vec4(-0.9251, -0.2385, -0.9141, -0.8352) * LUMA_texOff(vec2(1.0, 1.0)).x;
    return result;
}

//!DESC both halves weighted
//!HOOK LUMA
//!BIND edges
//!SAVE weighted
//!COMPONENTS 4
#define go_0(x_off, y_off) (max((edges_texOff(vec2(x_off, y_off))), 0.0))
#define go_1(x_off, y_off) (max(-(edges_texOff(vec2(x_off, y_off))), 0.0))
vec4 hook() {
    vec4 result = mat4(0.3323, -0.5353, -0.2135, -0.9199, 0.3189, 0.4234, -0.2874, 0.3212, -0.5864, 0.1094, 0.7867, 0.6768, -0.4831, -0.1013, -0.9043, 0.8104) * go_0(0.0, -1.0);
    result += mat4(-0.5442, 0.3796, -0.4575, -0.6113, -0.1571, -0.8867, 0.3599, 0.8534, 0.7480, -0.5808, 0.8237, -0.4397, -0.2376, 0.8763, 0.2981, -0.3312) * go_0(0.0, 0.0);
    result += mat4(0.3256, -0.6141, 0.9471, -0.6981, -0.9380, 0.0786, 0.7937, 0.6359, -0.1001, -0.7715, 0.8046, -0.9332, -0.6174, 0.1460, 0.3857, -0.8103) * go_1(0.0, -1.0);
    result += mat4(0.1771, -0.9284, 0.9141, 0.4811, 0.4731, -0.1513, -0.6143, 0.8310, -0.1302, 0.5137, 0.1068, 0.6751, -0.7337, 0.5534, 0.8017, 0.7428) * go_1(0.0, 0.0);
    result += vec4(0.9112, 0.6347, -0.4769, 0.3433);
    return result;
}
