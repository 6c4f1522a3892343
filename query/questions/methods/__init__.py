"""methods: the methods of a generic function that a call with arguments of given classes reaches."""
