"""The lists of an audit, in the order in which they are shown, each with what it says."""

from __future__ import annotations

LISTS = {
    "unused": "definitions that nothing else uses",
    "never-named": "what a defining macro made and nothing names, where most of its kind are named",
    "no-methods": "generic functions without methods",
    "never-made": "classes with methods that nothing makes an instance of",
    "never-signalled": "conditions that nothing signals",
    "initarg": "initargs that nothing passes",
    "used-once": "macros that are used once",
    "empty-export": "exports that name nothing",
    "undocumented": "exports without documentation",
    "import": "imports and used packages that nothing needs",
    "dependency": "systems depended on that nothing uses",
    "duplicate": "names that are defined twice in the same way",
}
"""Each list's name, and what it has."""
OF_USES = (
    *("unused", "never-named", "never-made", "never-signalled", "initarg", "used-once", "import"),
    "dependency",
)
"""The lists of what has no use, or one."""
