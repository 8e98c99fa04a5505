"""Who is judged, and how likely that was."""
