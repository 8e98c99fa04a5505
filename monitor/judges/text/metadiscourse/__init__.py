"""Metadiscourse: what an answer says about itself and to its reader, which states nothing of the subject.

Talk (`talk`, `referrals`), words that lead into a statement (`leadins`), what points at the evidence (`citations`,
`references`, `pointers`, `locators`), what says a thing once more (`conversions`), and what arranges the text
(`layout`, `headings`).
"""
