"""What servers run on: processes that build and watch, connections, sockets, lines in the background."""
