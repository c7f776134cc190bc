"""PDF and pixels: pages composed of faces, colours changed, pages rasterised, files checked."""
