"""Stages of open tasks: agents leave artefacts, and a blind judge says later how good they are."""
