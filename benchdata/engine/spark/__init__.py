"""Spark over the same views of Parquet files; the extra `spark`, and Java beside it.

1. `session`: the one Spark of this process, started quietly, or why there is none.
2. `connection`: the views and macros in a session of their own, and answers as Arrow tables.
3. `macros.sql`: what Spark says otherwise, by the names that DuckDB's page has.
4. `wording`: what Spark says when a query fails, as one sentence.
"""
