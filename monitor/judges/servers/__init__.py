"""How each kind of server is spoken to: one file for each wire API (`chat`, `messages`), one table of `providers`."""
