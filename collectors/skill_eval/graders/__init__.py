"""How an answer is graded; `grading` has the table."""
