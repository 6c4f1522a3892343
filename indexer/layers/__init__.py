"""Layers: saved images with their indexes; what is made on them dumps and writes only what is newer."""
