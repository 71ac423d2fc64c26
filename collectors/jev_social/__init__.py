"""Collects one privacy-safe row for every attempt of a bounded Jev Social research loop."""
