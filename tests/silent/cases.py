"""Programs that fail without a usable message, each with its fixed twin, and the findings that are expected.

``programs/NAME.broken.py`` and ``programs/NAME.fixed.py``; ``recordings/NAME.json`` holds the output of the two and the facts of
their learning. The programs in ``BLIND`` were written from the names of causes alone, before any rule.
"""

NUMERIC: dict[str, tuple[str, str]] = {
    "learning_rate_of_ten": ("nan-loss", "learning-rate-too-high"),
    "missing_targets": ("nan-loss", "bad-input-data"),
    "logarithm_of_counts": ("nan-loss", "bad-input-data"),
    "constant_column": ("nan-loss", "bad-input-data"),
    "recurrent_network_explodes": ("nan-loss", "learning-rate-too-high"),
    "logarithm_in_custom_loss": ("nan-loss", "unsafe-math"),
    "overlap_of_empty_masks": ("nan-loss", "unsafe-math"),
    "distance_at_zero": ("nan-loss", "unsafe-math"),
    "half_precision_loop": ("nan-loss", "mixed-precision-overflow"),
    "labels_from_one": ("nan-loss", "label-out-of-range-on-gpu"),
}
SILENT: dict[str, tuple[str, str]] = {
    "softmax_over_one_unit": ("model-does-not-learn", "activation-does-not-fit-loss"),
    "scores_taken_for_probabilities": ("model-does-not-learn", "activation-does-not-fit-loss"),
    "activation_twice": ("model-does-not-learn", "activation-does-not-fit-loss"),
    "rounded_target_range": ("model-does-not-learn", "activation-does-not-fit-loss"),
    "sigmoid_for_several_classes": ("model-does-not-learn", "activation-does-not-fit-loss"),
    "backbone_stays_frozen": ("model-does-not-learn", "layers-frozen-or-not-trained"),
    "units_die": ("model-does-not-learn", "learning-rate-unsuitable"),
    "hardly_a_step": ("model-does-not-learn", "learning-rate-unsuitable"),
    "features_in_their_own_units": ("model-does-not-learn", "inputs-not-scaled"),
    "shuffled_apart": ("model-does-not-learn", "labels-do-not-match-inputs"),
    "rare_class": ("model-does-not-learn", "predicts-majority-class"),
    "rows_sorted_by_class": ("validation-worse-than-training", "data-split-or-preprocessing"),
    "normalisation_of_tiny_batches": ("validation-worse-than-training", "train-and-inference-differ"),
    "memorised": ("validation-worse-than-training", "overfitting"),
    "half_a_checkpoint": ("weights-loaded-but-wrong", "silently-partial-restore"),
    "pixels_at_prediction": ("weights-loaded-but-wrong", "preprocessing-differs"),
    "strategy_without_a_model": ("variable-outside-scope", "silent-single-replica"),
}
WANTED = NUMERIC | SILENT
BLIND = frozenset(WANTED)
