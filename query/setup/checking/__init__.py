"""Whether what is set up works: servers are started as the clients would start them, and asked a question."""
