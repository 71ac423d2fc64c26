"""The program between the harness and one process tree: it starts the tree and outlives all of it.

It runs in a process of its own, on the standard library alone. Every orphan of the tree becomes its
child (it is their subreaper), and the first process of a pid namespace can be waited for only when
the namespace is empty. So "no child is left" proves that nothing of the tree is left. It ends the
tree as soon as the harness is gone, whoever killed that and whichever thread started the tree.

`collectors.harness.program` gives it its order, which `main` carries out, and `processes` reads
what it reports. A `tree` is started in each control `group`; `descent` finds what belongs to it,
`door` leads into its network, and `kernel` has the calls that Python does not.
"""
