"""The settings: what there is to set (`settings`, `judges`), how it is read (`loading`), and what is wrong with it."""
