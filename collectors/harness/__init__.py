"""Runs an agent on a task: folder, sandbox, gateway and schedule of every agent benchmark.

From the whole to its parts:

1. A benchmark is a stage, and one of the `batches`, which have a private folder. `stages` keeps it
   in a folder of its own: `stage_file` fixes what is compared, `schedule` in which order, `journal`
   remembers what began. `plan` is shown before anything runs, `running` executes what is due,
   here or through `executors` on the `workers` of a `cluster`, `progress` tells how far it is, and
   `signals` end it in good order.
2. An attempt is one run of one of the `agents`. `attempt` gives it its `folders`, its `environment`
   and its `skills`, confines it in a `sandbox`, of which `profiles` keeps a record, and puts the
   `gateway` before its model; without one, `holds` finds the boundaries of its turns and
   `endpoints` the way to its model. `endings` tells how it came to an end, and `failures` why a run
   says nothing of the agent. `billing` says who pays; how much, `benchdata.stats.pricing`.
   `judging` asks a model one question by the same means.
3. A program is a process tree. `processes` runs a `program`, given its `descriptors`, under the
   `supervisor`, which ends all of it. `process_groups` do less, for programs of our own.

Beside these, `spans` measures from when to when, `trees` reads and copies folders, `documents`
reads the files that people write, `user_settings` knows what the user has set, and `command_line`
has what the collectors' commands have alike.
"""
