"""The rules about names that nothing defines."""
