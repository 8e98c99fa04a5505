"""How each kind of server is spoken to: one file for each wire API (`chat`, `messages`), one table of `providers`.

Also the way there (`transport`), what came back (`reading`), what an error means (`failures`) and what a call costs
(`pricing`).
"""
