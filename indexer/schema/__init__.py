"""The format of the file: tables with a description of each column, views, full text."""
