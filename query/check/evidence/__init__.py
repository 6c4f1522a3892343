"""What the compiler recorded about the indexed text: proof that a form inside a macro is evaluated."""
