"""Start and ask an SBCL that evaluates forms (its side: lisp/serve/evaluate.lisp and expand.lisp)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .build_records import BuildRecord, BuildRecords
from .live_child import HEAP_OPTIONS, ImageChild, LispChild, core_command, core_environment
from .sbcl import EVALUATOR, PREPARE, Sbcl, compiled_code, find_sbcl, load_form, sbcl_arguments

_MORE_SECONDS = 2.0  # beyond the child's own limit, for starting to listen and for printing


@dataclass(frozen=True, slots=True)
class EvaluationLimits:
    """The seconds allowed for evaluating forms, loading a system and printing a value."""

    evaluating: int = 10
    loading: int = 600
    printing: int = 1

    def environment(self) -> dict[str, str]:
        """The environment variables that lisp/serve/evaluate.lisp reads."""
        return {
            "OBLIST_EVALUATION_SECONDS": str(self.evaluating),
            "OBLIST_LOADING_SECONDS": str(self.loading),
        }


class EvaluationChild(LispChild):
    """An SBCL that evaluates. A reply is a kind, "done" or "error", and a text to show.

    All methods raise ChildGoneError when a form ended the SBCL, and ChildLateError when the SBCL did not
    reply in time, not even to say that its own limit was reached.
    """

    GREETING = "evaluator"

    def __init__(
        self, command: list[str], environment: dict[str, str], folder: Path | None, limits: EvaluationLimits
    ) -> None:
        super().__init__(command, {**environment, **limits.environment()}, folder)
        self._limits = limits

    def evaluate(self, package: str, forms: str) -> tuple[str, str]:
        """Evaluate all ``forms`` in ``package``."""
        return self.exchange(["evaluate", package, forms], self._limits.evaluating + _MORE_SECONDS)

    def expand(self, how: str, package: str, form: str) -> tuple[str, str]:
        """Expand the only form in ``form``, read in ``package``; ``how`` is once, all or steps."""
        return self.exchange(["expand", how, package, form], self._limits.evaluating + _MORE_SECONDS)

    def load(self, system: str) -> tuple[str, str]:
        """Load the system named ``system``."""
        return self.exchange(["load", system], self._limits.loading + _MORE_SECONDS)

    def value(self, package: str, name: str) -> tuple[str, str]:
        """Report a value, as LiveChild does."""
        return self.exchange(["value", package, name], self._limits.printing + 1.0)


def evaluation_image(
    records: BuildRecords, record: BuildRecord, cache: Path, limits: EvaluationLimits
) -> ImageChild[EvaluationChild]:
    """The image of a build as a separate child that evaluates; the caller starts it.

    A snapshot saved by an oblist that could not evaluate yet sends a different greeting; then the systems
    are loaded instead.
    """

    def compiled() -> tuple[Sbcl, Path]:
        sbcl = find_sbcl(record.sbcl)
        return sbcl, compiled_code(sbcl, cache)

    def from_core(record: BuildRecord, core: Path) -> EvaluationChild:
        # No --lose-on-corruption: a form that exhausts the stack gets an error, and the session goes on.
        evaluator = {**core_environment(core), "OBLIST_EVALUATOR": str(compiled()[1] / EVALUATOR)}
        project = record.setup().folder  # where its author would evaluate forms, if it still exists
        folder = project if project and project.is_dir() else None
        return EvaluationChild(core_command(record, core), evaluator, folder, limits)

    def by_loading(record: BuildRecord) -> EvaluationChild:
        sbcl, code = compiled()
        # One form, read before anything is loaded: an init file may change the reader.
        steps = ["(oblist::load-everything)", load_form(code / EVALUATOR), "(oblist::serve-evaluation)"]
        program, *options = sbcl_arguments(sbcl, [load_form(code / PREPARE), f"(progn {' '.join(steps)})"])
        setup = record.setup()
        environment = {**setup.environment(), "OBLIST_SYSTEMS": "\n".join(record.systems)}
        command = [program, "--disable-ldb", *HEAP_OPTIONS, *options]
        return EvaluationChild(command, environment, setup.folder, limits)

    return ImageChild(records, record, from_core, by_loading)
