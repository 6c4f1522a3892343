"""The parts that commands share: options, opening an index, batches, printing an answer, exit codes."""
