"""The style `web_generators` holds WebGL shaders that generators of web libraries and web developers write."""
