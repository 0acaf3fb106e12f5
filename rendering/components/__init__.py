"""Components that all pages share, and their template tags. No models, no views."""
