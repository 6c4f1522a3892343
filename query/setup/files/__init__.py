"""Changes to the text of clients' files that leave everything else in them as it is."""
