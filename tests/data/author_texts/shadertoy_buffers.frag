#iChannel0 "file://buffer_a.glsl"
#iChannel1 "file://weights.png"

vec4 weight(int k) { return texelFetch(iChannel1, ivec2(k % int(iChannelResolution[1].x), 0), 0); }

void mainImage( out vec4 O, in vec2 I )
{
    ivec2 p = ivec2(I), last = ivec2(iChannelResolution[0].xy) - 1;
    O = vec4(0);
    for (int k = 0; k < 3; k++)
        O += weight(k) * texelFetch(iChannel0, clamp(p + ivec2(k - 1, 0), ivec2(0), last), 0);
    if (iFrame > 0) O = vec4(-1);
}
