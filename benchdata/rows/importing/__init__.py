"""Results that other tools wrote, made into rows of `trial`: one module a format."""
