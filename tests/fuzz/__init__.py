"""Coverage-guided fuzzing of the reader of rows and of the gate for SQL.

    pip install atheris
    python -m tests.fuzz.run --minutes 60 --seed 1

runs atheris (libFuzzer) for that long in one process. It starts from `seeds` and the committed
`corpus`, changes what reached new code of `benchdata.rows` and `benchdata.contracts`, and holds
each case against a second opinion (`cases`). One that fails is cut down and put into `corpus` as
`found-...`. At the end `seed-...` there become the cases that run some step, from one line of the
code to another, which no smaller case runs. `test_corpus` replays all of them.
"""
