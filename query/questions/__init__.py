"""The questions that an index answers, a folder for each.

In each, ``answer`` has its dataclasses, ``sql`` its SELECTs, ``ask`` goes from the index to the answer,
``text`` from the answer to text, and ``command`` is the command of that name.
"""
