"""The questions that an index answers, one folder per question.

In each, ``answer`` has the dataclasses and ``sql`` the SELECTs, ``ask`` makes the answer from the index,
``text`` formats it, and ``command`` is the command of that name.
"""
