"""What passages may write otherwise than a claim: initials, currencies, short names of the calendar."""
