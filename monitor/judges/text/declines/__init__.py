"""Answers that decline (`declining`): how that is said (`abstaining`), and what is stated beside it all the same."""
