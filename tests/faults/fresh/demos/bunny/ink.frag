#version 330
// iq's colours of a distance field, lit by its slope
uniform sampler2D D;
uniform sampler2D S;
uniform vec2 light;
out vec4 O;
void main(){
 ivec2 p=ivec2(gl_FragCoord.xy);
 float d=texelFetch(D,p,0).r;
 vec2 g=texelFetch(S,p,0).rg;
 vec3 col=d>0.?vec3(.9,.6,.3):vec3(.65,.85,1.);
 col*=1.-exp(-6.*abs(d));
 col*=.8+.2*cos(15.*d);
 col*=(dot(g,light)+.7)/sqrt(dot(g,g)+.3);
 O=vec4(col,1);
}
