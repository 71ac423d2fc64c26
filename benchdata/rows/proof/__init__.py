"""Lines proven valid in columns, by bytes: what is not proven here goes to the check by row.

A line is proven when it is, byte for byte, literal, hole, literal, hole ... of a layout learned
from a valid line of the same file, and each hole holds a value that the contract takes: integers,
numbers and times by their digits, text of many values by its pattern, everything else by the
contract's own check of each distinct text. So no unknown, missing or repeated key and no other
spelling can pass, wherever the widths or marks that the cutting relies on came from. A line that
is not proven costs time only: `rows.examining` alone says what is wrong with it, if anything is.
"""
