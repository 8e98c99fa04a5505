"""Numbers in one canonical form (`folding`), however they are written: in words, as fractions and powers, in dates."""
