"""What a judge model is asked: a file for each evaluation, readers of its verdicts, and the frame of the data."""
