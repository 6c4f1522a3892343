"""What the commands share: options, opening an index, printing an answer, exit codes."""
