"""Setting up the clients of oblist: agents, editors, CI."""
