"""A static site of reports and leaderboards: an index to search, a page a benchmark, permalinks."""
