"""The diagnostic counters of a search (the siblings' DEBUGX).

A counter is one line in the class ``Counters``, or in its base class where the evaluation counts; names and order are
derived from that. Counters are plain attributes of a native class, so counting is one addition in memory.
``PAWNSTAR_DEBUGX=0`` at build time leaves the counting out of the compiled search.
"""

from typing import Final

from mypy_extensions import i64

from pawnstar.evaluation.counters import EvaluationCounters


class Counters(EvaluationCounters):
    """All counters. Each is shown by its own name with blanks, but for those in ``_SHOWN_AS``."""

    all_nodes: i64 = 0
    alpha_beta_calls: i64 = 0
    best_score_changed: i64 = 0
    beta_cutoffs: i64 = 0
    checkmates: i64 = 0
    draws_by_material_2: i64 = 0
    draws_by_material_3: i64 = 0
    draws_by_material_4: i64 = 0
    draws_by_repetition_ss: i64 = 0
    extensions_check: i64 = 0
    extensions_ep_capture: i64 = 0
    extensions_promotion: i64 = 0
    internal_iterative_reduction: i64 = 0
    killer_moves: i64 = 0
    late_move_prune: i64 = 0
    late_move_reduction: i64 = 0
    late_move_reduction_fails: i64 = 0
    late_move_reduction_x2: i64 = 0
    late_move_reduction_x3: i64 = 0
    max_ply_reached: i64 = 0
    null_move: i64 = 0
    null_move_fails: i64 = 0
    pv_changed: i64 = 0
    pv_nodes: i64 = 0
    pvs_attempts: i64 = 0
    pvs_fails: i64 = 0
    pvs_fails_root_ply: i64 = 0
    quiescent_beta_cutoffs: i64 = 0
    quiescent_calls: i64 = 0
    quiescent_checks: i64 = 0
    quiescent_eval_beta_cutoffs: i64 = 0
    quiescent_eval_raises_alpha: i64 = 0
    quiescent_max_ply: i64 = 0
    quiescent_negative_see: i64 = 0
    quiescent_pv_changed: i64 = 0
    reverse_futility_prune: i64 = 0
    stalemates: i64 = 0
    table_hit_all_node: i64 = 0
    table_hit_all_node_cutoffs: i64 = 0
    table_hit_cut_node: i64 = 0
    table_hit_cut_node_cutoffs: i64 = 0
    table_hit_pv_node: i64 = 0
    table_move: i64 = 0
    table_move_beta_cutoffs: i64 = 0
    table_move_raised_alpha: i64 = 0

    def by_name(self) -> dict[str, int]:
        """Every counter by the name that is shown, in alphabetical order."""
        return {shown: int(getattr(self, attribute)) for shown, attribute in _ATTRIBUTES.items()}

    def reset(self) -> None:
        """Set every counter to zero."""
        for attribute in _ATTRIBUTES.values():
            setattr(self, attribute, 0)


_SHOWN_AS: Final = {
    "draws_by_material_2": "draws by material (2)",
    "draws_by_material_3": "draws by material (3)",
    "draws_by_material_4": "draws by material (4)",
    "draws_by_repetition_ss": "draws by repetition SS",
}


def _attributes() -> dict[str, str]:
    """The counters' attributes by the names that are shown, which are sorted."""
    attributes = [name for name in dir(Counters) if name[0] != "_" and not callable(getattr(Counters, name))]
    shown = {_SHOWN_AS.get(name, name.replace("_", " ")): name for name in attributes}
    return dict(sorted(shown.items()))


_ATTRIBUTES: Final = _attributes()
