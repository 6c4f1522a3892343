"""The second reading: how the forms of standard operators evaluate what stands in them."""
