"""Confines a program to one folder and to the few sockets that it may reach.

`provider` is what a sandbox is given and promises. `bubblewrap` and `workspace` are the sandboxes,
and `probe` finds out which of them works here. Their limits are `groups` and `rlimits` of the
kernel, and a filter of system calls, `seccomp`. `reach` leads from outside to a service in a
sandbox; a `forwarder` passes connections on, either way.
"""
