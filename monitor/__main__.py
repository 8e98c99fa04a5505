"""`python -m monitor`."""

from monitor.cli import main

main()
