"""The limits of a judge's calls: `calling` makes one call under all of them, `outlook` says what they are worth."""
