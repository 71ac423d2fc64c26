"""Pictures of an artefact, as a person would see it; what is drawn is confined and bounded.

`render` is what a task asks for and `rendering` what comes of it. The drawing itself is done by the
modules of `confined`, in a sandbox and with nothing else of this project in sight. `pictures` holds
what is done to a picture, `needs` what a machine must have, and `version` what a rendering depends
on.
"""
