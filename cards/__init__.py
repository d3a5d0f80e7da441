"""Dataset and model cards, rendered from a manifest."""
