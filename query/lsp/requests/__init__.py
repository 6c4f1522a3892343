"""The answers to requests: documents and an index in, the types of the protocol out."""
