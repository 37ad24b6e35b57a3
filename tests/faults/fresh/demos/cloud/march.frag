#version 330
// front to back, sky behind. Output column of 4*6: rgb and depth of 6 rays.
uniform sampler2D F,G;
uniform vec3 sky;
out float o;
#define f(c,n) texelFetch(F,ivec2(n,(c)*6+r),0).r
void main(){
 int y=int(gl_FragCoord.y),k=y/6,r=y%6;
 float t=1.,z=0.,s=0.;
 for(int n=0;n<11;n++){
  float g=texelFetch(G,ivec2(n,r),0).r;
  float a=1.-exp(-f(3,n)*g);
  z+=g;
  s+=t*a*(k<3?f(k,n):z);
  t*=1.-a;
 }
 if(k<3)s+=t*sky[k];
 o=s;
}
