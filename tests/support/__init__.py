"""Rows, faults and short cuts that the tests share."""
