"""The lists of an audit, in the order in which they are shown, each with what it says."""

from __future__ import annotations

LISTS = {
    "unused": "definitions that nothing else uses",
    "never-named": "things that a defining macro made and nothing names, where most of their kind are named",
    "no-methods": "generic functions without methods",
    "never-made": "classes that have methods, but of which nothing makes an instance",
    "never-signalled": "conditions that nothing signals",
    "initarg": "initargs that nothing passes",
    "used-once": "macros that are used once",
    "empty-export": "exports that name nothing",
    "undocumented": "exports without documentation",
    "import": "imports and used packages that nothing needs",
    "dependency": "dependencies on systems that nothing uses",
    "duplicate": "names that are defined twice in the same way",
}
"""Each list's name, and what it has."""
OF_USES = (
    *("unused", "never-named", "never-made", "never-signalled", "initarg", "used-once", "import"),
    "dependency",
)
"""The lists of things with no use, or only one."""
