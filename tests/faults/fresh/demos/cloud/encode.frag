#version 330
// nerf's positional encoding: p, then sin and cos of p, 2p, 4p. Rows are channel*6 + ray, columns samples.
uniform sampler2D P;
out float o;
void main(){
 ivec2 i=ivec2(gl_FragCoord);
 int k=i.y/6,r=i.y%6,d=k%3,j=k/3; // j: 0 p, 1 sin p, 2 cos p, 3 sin 2p ...
 float v=texelFetch(P,ivec2(i.x,d*6+r),0).r;
 if(j>0){
  v*=exp2(float((j-1)/2));
  v=(j&1)==1?sin(v):cos(v);
 }
 o=v;
}
