"""What an audit lists, a module for each sort of thing."""
