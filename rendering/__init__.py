"""Rendering: SVG drawings, PDF papers, numbers and days in words, and the components that all pages share."""
