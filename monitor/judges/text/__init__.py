"""Reading text as evidence: sentences, tokens, numbers. Pure, linear in the length of the text, no dictionary.

From the bottom up: `numbers` and `names`, `words`, `amounts`, `tokens`; `metadiscourse`, `claims`, `declines`.
"""
