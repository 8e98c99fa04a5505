"""Reading text as evidence: sentences, tokens, numbers. Pure, linear in the length of the text, no dictionary."""
