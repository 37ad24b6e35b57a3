#version 330 core
uniform sampler2D s_feat;
uniform sampler2D s_w;      // x: tap, y: quad
uniform sampler2D s_b;
layout(location = 0) out vec4 o_local;

// Each channel looks around by itself.
void main() {
    ivec2 px = ivec2(gl_FragCoord.xy);
    ivec2 size = textureSize(s_feat, 0) / ivec2(3, 1);
    int quad = px.x / size.x;
    int left = quad * size.x;
    int right = left + size.x;

    vec4 sum = texelFetch(s_b, ivec2(quad, 0), 0);
    for (int t = 0; t < 9; ++t) {
        ivec2 p = px + ivec2(t % 3, t / 3) - 1;
        bool inside = p.x >= left && p.x < right && p.y >= 0 && p.y < size.y;
        if (inside) sum += texelFetch(s_w, ivec2(t, quad), 0) * texelFetch(s_feat, p, 0);
    }
    o_local = clamp(sum, 0.0, 6.0);
}
