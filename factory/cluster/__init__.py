"""Builds on a Ray cluster: units in a pool of actors, models in actors with GPUs."""
