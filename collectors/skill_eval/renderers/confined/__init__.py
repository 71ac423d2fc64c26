"""What runs in the sandbox: the standard library, Playwright, Pillow, programs of the machine.

`main` carries out one `order` for which `pages` (through a `browser`), `papers`, `films` and
`images` draw. Nothing here may import from the rest of the project, which cannot be seen there.
"""
