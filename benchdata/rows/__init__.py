"""Rows: from files to validated columns, and one durable way to write a row."""
