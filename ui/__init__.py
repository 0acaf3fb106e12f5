"""What all pages share: the template tags of the drawings and components. No models, no views."""
