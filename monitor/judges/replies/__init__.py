"""Whether a reply is a verdict: `parse` asks the others, of which most may only refuse; none chooses between two."""
