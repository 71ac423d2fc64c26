"""The proxy between an agent and its model: what was asked, by which model, at what price.

A request arrives at the `server`, which is `answering` HTTP in the types of `asgi`, and `client` is
the way back. The `relay` holds it while a turn is looked at (`turns` counts them), refuses it by
the `policy`, or passes it on to the `upstream`, of which `scripted_model` is one that answers from
a script (`script_file`).
`shape` is what must be known of a protocol, and `messages` and `responses` are the two that there
are. `exchanges` keeps count. `gateway` puts all this together.

`egress` is a proxy of its own: for hosts that are no model, by name.
"""
