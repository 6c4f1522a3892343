"""Pictures of the relations between packages, between systems and between classes."""
