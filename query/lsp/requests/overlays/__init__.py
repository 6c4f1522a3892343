"""What an editor lays over the text: colours, hints, lenses, links."""
