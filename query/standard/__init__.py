"""Links into the HyperSpec and SBCL's manual: which page is about a name, and where the pages are."""
