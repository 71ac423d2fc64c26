"""`benchdata serve`: takes shared results, keeps each on disk before it says so, shows a board.

1. `intake`: what a request must be, and the row of contract shared-result that it holds.
2. `rates`: how often one address may send.
3. `store`: the file of accepted rows, written by one thread for all that wait.
4. `standings`: what the rows say together; `boards`: the same as JSON and as a page.
5. `app`: the answers, `routes`: where; `running`: the process, from its socket to its end.
"""
