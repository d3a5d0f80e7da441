"""Trains code models on published data."""
