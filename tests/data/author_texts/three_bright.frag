uniform sampler2D tDiffuse;
uniform float exposure;
varying vec2 vUv;

void main() {
    vec4 texel = texture2D( tDiffuse, vUv );
    vec4 beside = texelFetch( tDiffuse, ivec2( max( gl_FragCoord.x - 1.5, 0.0 ), gl_FragCoord.y ), 0 );
    gl_FragColor = exposure * texel - beside;
}
