"""Pictures of how packages, systems and classes hang together."""
