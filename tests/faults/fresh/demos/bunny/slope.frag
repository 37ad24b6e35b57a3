#version 330
// central differences of the distance, held at the border
uniform sampler2D D;
uniform ivec2 R;
out vec4 O;
float d(ivec2 p){return texelFetch(D,clamp(p,ivec2(0),R-1),0).r;}
void main(){
 ivec2 p=ivec2(gl_FragCoord.xy);
 ivec2 e=ivec2(1,0);
 vec2 g=.5*vec2(d(p+e.xy)-d(p-e.xy),d(p+e.yx)-d(p-e.yx));
 O=vec4(g,0,0);
}
