// three.js: a filter pass with its own vUv
varying vec2 vUv;
uniform sampler2D tDiffuse;
uniform vec2 resolution;
uniform float amount;
uniform float kernel[9];
uniform vec3 tints[2];

vec4 at( const in vec2 uv ) {
	return texture2D( tDiffuse, clamp( uv, vec2( 0.0 ), vec2( 1.0 ) ) );
}

void main() {
	vec4 sum = vec4( 0.0 );
	int k = 0;
	for ( int y = -1; y <= 1; y ++ ) {
		for ( int x = -1; x <= 1; x ++ ) {
			sum += at( vUv + vec2( float( x ), float( y ) ) / resolution ) * kernel[ k ];
			k ++;
		}
	}
	vec3 tinted = mix( tints[ 0 ], tints[ 1 ], sum.a );
	if ( sum.r < 0.0 ) {
		gl_FragColor = vec4( sum.rgb * amount, 1.0 );
		return;
	}
	gl_FragColor = vec4( sum.rgb + tinted, length( sum.rg - 0.5 ) );
}
