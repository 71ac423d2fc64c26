"""The proxy between an agent and its model: what was asked, by which model, at what price."""
