"""The calibration suite: how often the rules are wrong, and right, where the truth is known."""
