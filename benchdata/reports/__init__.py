"""Reports: executed notebooks as dated folders that open offline and render the same again."""
