"""Rendering: SVG drawings, PDF papers, and the components that all pages share."""
