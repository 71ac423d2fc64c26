"""Answers as CI systems show them: annotations of GitHub, and JUnit XML."""
