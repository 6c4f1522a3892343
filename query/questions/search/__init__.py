"""search: find symbols by words."""
