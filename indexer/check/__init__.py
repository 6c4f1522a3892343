"""Reading a whole index: what contradicts itself, and what differs from another one."""
