"""The parts that servers run on: child processes, a pool of connections, sockets, background lines."""
