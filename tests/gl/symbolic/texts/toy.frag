// ShaderToy: a turned, sharpened channel
#define ROT(a) mat2(cos(a), -sin(a), sin(a), cos(a))
#define T(p) texture(iChannel0, (p) / iResolution.xy)

float luma(vec3 c) { return dot(c, vec3(.2126, .7152, .0722)); }

void mainImage( out vec4 fragColor, in vec2 fragCoord )
{
    vec2 p = fragCoord - .5 * iResolution.xy;
    p = ROT(iTime * .3) * p + .5 * iResolution.xy;
    vec3 c = T(p).rgb, sum = vec3(0);
    for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
    {
        if (i == 0 && j == 0) continue;
        sum += T(p + vec2(i, j)).rgb;
    }
    c += (c - sum / 8.) * .8;
    float l = luma(c);
    c = mix(vec3(l), c, smoothstep(-.5, .5, l));
    fragColor = vec4(pow(abs(c), vec3(1. / 2.2)) * sign(c), l > .2 ? 1. : 0.);
}
