"""Judging a form, or the text of a file, before it is written anywhere.

from oblist.query import open_index
from oblist.query.check.form import check_form

with open_index() as index:
    print(check_form(index, "(mapcar #'car)").findings[0].message)
"""

from .ask import check_form

__all__ = ["check_form"]
