"""DuckDB over views of Parquet files: in this process, or in a child that is locked in."""
