"""Round robin: everybody meets everybody, in groups, by Berger's tables."""
