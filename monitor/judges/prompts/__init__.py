"""What a judge model is asked: a rubric for each evaluation, its texts in two languages, and the frame of the data."""
