"""The handlers of our tools, a module for each question, with the answers that it gives."""
