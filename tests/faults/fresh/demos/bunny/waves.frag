#version 330
// layer 0 of a tiny sdf net: 3 -> 8, sin
uniform sampler2D P;
out vec4 O;
void main(){
 ivec2 u=ivec2(gl_FragCoord.xy);
 vec3 p=texelFetch(P,ivec2(u.x%7,u.y),0).xyz;
 vec4 f00=sin(p.x*vec4(-.793,-1.581,1.178,3.892)
  +p.y*vec4(-1.479,-2.491,-1.329,-1.424)
  +p.z*vec4(1.487,.917,-.791,-.708)
  +vec4(.079,-.419,.311,-2.855));
 vec4 f01=sin(p.x*vec4(1.65,1.145,-.77,-1.723)
  +p.y*vec4(1.044,-.571,1.128,.678)
  +p.z*vec4(2.257,.166,.712,-1.147)
  +vec4(.489,-1.566,1.289,-1.301));
 O=u.x<7?f00:f01;
}
