"""Archive, export, import and interchange formats."""
