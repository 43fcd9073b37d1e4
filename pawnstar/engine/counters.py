"""The diagnostic counters of a search (the siblings' DEBUGX), by name.

They are plain attributes of a native class, so that counting is one addition in memory; the search's own class extends
it. ``PAWNSTAR_DEBUGX=0`` at build time leaves the counting out of the compiled search.
"""

from mypy_extensions import i64


class Counters:
    """All counters, each ``n_`` and its name."""

    def __init__(self) -> None:
        self.n_all_nodes: i64 = 0
        self.n_alpha_beta_calls: i64 = 0
        self.n_best_score_changed: i64 = 0
        self.n_beta_cutoffs: i64 = 0
        self.n_checkmates: i64 = 0
        self.n_draws_by_material_2: i64 = 0
        self.n_draws_by_material_3: i64 = 0
        self.n_draws_by_material_4: i64 = 0
        self.n_draws_by_repetition_ss: i64 = 0
        self.n_eval_calls: i64 = 0
        self.n_eval_hash_hits: i64 = 0
        self.n_extensions_check: i64 = 0
        self.n_extensions_ep_capture: i64 = 0
        self.n_extensions_promotion: i64 = 0
        self.n_internal_iterative_reduction: i64 = 0
        self.n_killer_moves: i64 = 0
        self.n_late_move_prune: i64 = 0
        self.n_late_move_reduction: i64 = 0
        self.n_late_move_reduction_fails: i64 = 0
        self.n_late_move_reduction_x2: i64 = 0
        self.n_late_move_reduction_x3: i64 = 0
        self.n_max_ply_reached: i64 = 0
        self.n_null_move: i64 = 0
        self.n_null_move_fails: i64 = 0
        self.n_pv_changed: i64 = 0
        self.n_pv_nodes: i64 = 0
        self.n_pvs_attempts: i64 = 0
        self.n_pvs_fails: i64 = 0
        self.n_pvs_fails_root_ply: i64 = 0
        self.n_quiescent_beta_cutoffs: i64 = 0
        self.n_quiescent_calls: i64 = 0
        self.n_quiescent_checks: i64 = 0
        self.n_quiescent_eval_beta_cutoffs: i64 = 0
        self.n_quiescent_eval_raises_alpha: i64 = 0
        self.n_quiescent_max_ply: i64 = 0
        self.n_quiescent_negative_see: i64 = 0
        self.n_quiescent_pv_changed: i64 = 0
        self.n_reverse_futility_prune: i64 = 0
        self.n_stalemates: i64 = 0
        self.n_table_hit_all_node: i64 = 0
        self.n_table_hit_all_node_cutoffs: i64 = 0
        self.n_table_hit_cut_node: i64 = 0
        self.n_table_hit_cut_node_cutoffs: i64 = 0
        self.n_table_hit_pv_node: i64 = 0
        self.n_table_move: i64 = 0
        self.n_table_move_beta_cutoffs: i64 = 0
        self.n_table_move_raised_alpha: i64 = 0

    def reset_counters(self) -> None:
        """Set every counter to zero."""
        self.n_all_nodes = 0
        self.n_alpha_beta_calls = 0
        self.n_best_score_changed = 0
        self.n_beta_cutoffs = 0
        self.n_checkmates = 0
        self.n_draws_by_material_2 = 0
        self.n_draws_by_material_3 = 0
        self.n_draws_by_material_4 = 0
        self.n_draws_by_repetition_ss = 0
        self.n_eval_calls = 0
        self.n_eval_hash_hits = 0
        self.n_extensions_check = 0
        self.n_extensions_ep_capture = 0
        self.n_extensions_promotion = 0
        self.n_internal_iterative_reduction = 0
        self.n_killer_moves = 0
        self.n_late_move_prune = 0
        self.n_late_move_reduction = 0
        self.n_late_move_reduction_fails = 0
        self.n_late_move_reduction_x2 = 0
        self.n_late_move_reduction_x3 = 0
        self.n_max_ply_reached = 0
        self.n_null_move = 0
        self.n_null_move_fails = 0
        self.n_pv_changed = 0
        self.n_pv_nodes = 0
        self.n_pvs_attempts = 0
        self.n_pvs_fails = 0
        self.n_pvs_fails_root_ply = 0
        self.n_quiescent_beta_cutoffs = 0
        self.n_quiescent_calls = 0
        self.n_quiescent_checks = 0
        self.n_quiescent_eval_beta_cutoffs = 0
        self.n_quiescent_eval_raises_alpha = 0
        self.n_quiescent_max_ply = 0
        self.n_quiescent_negative_see = 0
        self.n_quiescent_pv_changed = 0
        self.n_reverse_futility_prune = 0
        self.n_stalemates = 0
        self.n_table_hit_all_node = 0
        self.n_table_hit_all_node_cutoffs = 0
        self.n_table_hit_cut_node = 0
        self.n_table_hit_cut_node_cutoffs = 0
        self.n_table_hit_pv_node = 0
        self.n_table_move = 0
        self.n_table_move_beta_cutoffs = 0
        self.n_table_move_raised_alpha = 0

    def counters(self) -> dict[str, int]:
        """Every counter by its name, in alphabetical order."""
        return {
            "all nodes": int(self.n_all_nodes),
            "alpha beta calls": int(self.n_alpha_beta_calls),
            "best score changed": int(self.n_best_score_changed),
            "beta cutoffs": int(self.n_beta_cutoffs),
            "checkmates": int(self.n_checkmates),
            "draws by material (2)": int(self.n_draws_by_material_2),
            "draws by material (3)": int(self.n_draws_by_material_3),
            "draws by material (4)": int(self.n_draws_by_material_4),
            "draws by repetition SS": int(self.n_draws_by_repetition_ss),
            "eval calls": int(self.n_eval_calls),
            "eval hash hits": int(self.n_eval_hash_hits),
            "extensions check": int(self.n_extensions_check),
            "extensions ep capture": int(self.n_extensions_ep_capture),
            "extensions promotion": int(self.n_extensions_promotion),
            "internal iterative reduction": int(self.n_internal_iterative_reduction),
            "killer moves": int(self.n_killer_moves),
            "late move prune": int(self.n_late_move_prune),
            "late move reduction": int(self.n_late_move_reduction),
            "late move reduction fails": int(self.n_late_move_reduction_fails),
            "late move reduction x2": int(self.n_late_move_reduction_x2),
            "late move reduction x3": int(self.n_late_move_reduction_x3),
            "max ply reached": int(self.n_max_ply_reached),
            "null move": int(self.n_null_move),
            "null move fails": int(self.n_null_move_fails),
            "pv changed": int(self.n_pv_changed),
            "pv nodes": int(self.n_pv_nodes),
            "pvs attempts": int(self.n_pvs_attempts),
            "pvs fails": int(self.n_pvs_fails),
            "pvs fails root ply": int(self.n_pvs_fails_root_ply),
            "quiescent beta cutoffs": int(self.n_quiescent_beta_cutoffs),
            "quiescent calls": int(self.n_quiescent_calls),
            "quiescent checks": int(self.n_quiescent_checks),
            "quiescent eval beta cutoffs": int(self.n_quiescent_eval_beta_cutoffs),
            "quiescent eval raises alpha": int(self.n_quiescent_eval_raises_alpha),
            "quiescent max ply": int(self.n_quiescent_max_ply),
            "quiescent negative see": int(self.n_quiescent_negative_see),
            "quiescent pv changed": int(self.n_quiescent_pv_changed),
            "reverse futility prune": int(self.n_reverse_futility_prune),
            "stalemates": int(self.n_stalemates),
            "table hit all node": int(self.n_table_hit_all_node),
            "table hit all node cutoffs": int(self.n_table_hit_all_node_cutoffs),
            "table hit cut node": int(self.n_table_hit_cut_node),
            "table hit cut node cutoffs": int(self.n_table_hit_cut_node_cutoffs),
            "table hit pv node": int(self.n_table_hit_pv_node),
            "table move": int(self.n_table_move),
            "table move beta cutoffs": int(self.n_table_move_beta_cutoffs),
            "table move raised alpha": int(self.n_table_move_raised_alpha),
        }

    def save_counters(self) -> list[int]:
        """All values, to be given back to ``restore_counters``."""
        return list(self.counters().values())

    def restore_counters(self, values: list[int]) -> None:
        """Set all counters as they were saved."""
        (
            self.n_all_nodes,
            self.n_alpha_beta_calls,
            self.n_best_score_changed,
            self.n_beta_cutoffs,
            self.n_checkmates,
            self.n_draws_by_material_2,
            self.n_draws_by_material_3,
            self.n_draws_by_material_4,
            self.n_draws_by_repetition_ss,
            self.n_eval_calls,
            self.n_eval_hash_hits,
            self.n_extensions_check,
            self.n_extensions_ep_capture,
            self.n_extensions_promotion,
            self.n_internal_iterative_reduction,
            self.n_killer_moves,
            self.n_late_move_prune,
            self.n_late_move_reduction,
            self.n_late_move_reduction_fails,
            self.n_late_move_reduction_x2,
            self.n_late_move_reduction_x3,
            self.n_max_ply_reached,
            self.n_null_move,
            self.n_null_move_fails,
            self.n_pv_changed,
            self.n_pv_nodes,
            self.n_pvs_attempts,
            self.n_pvs_fails,
            self.n_pvs_fails_root_ply,
            self.n_quiescent_beta_cutoffs,
            self.n_quiescent_calls,
            self.n_quiescent_checks,
            self.n_quiescent_eval_beta_cutoffs,
            self.n_quiescent_eval_raises_alpha,
            self.n_quiescent_max_ply,
            self.n_quiescent_negative_see,
            self.n_quiescent_pv_changed,
            self.n_reverse_futility_prune,
            self.n_stalemates,
            self.n_table_hit_all_node,
            self.n_table_hit_all_node_cutoffs,
            self.n_table_hit_cut_node,
            self.n_table_hit_cut_node_cutoffs,
            self.n_table_hit_pv_node,
            self.n_table_move,
            self.n_table_move_beta_cutoffs,
            self.n_table_move_raised_alpha,
        ) = values
