"""Boards for the tests of this folder, and a look into their windows."""

from __future__ import annotations

from monitor.config.settings import BoardSettings
from monitor.quality.board import Board
from monitor.records import Verdict
from monitor.snapshot import SliceKey, Snapshot, WindowStats
from tests.monitor.quality.verdicts import NOW

WINDOWS = BoardSettings(windows=(300.0, 3600.0))
ALL = SliceKey("all", "all")


def board_of(*verdicts: Verdict, configured: BoardSettings = WINDOWS, live: bool = True) -> Board:
    board = Board(configured)
    for verdict in verdicts:
        board.add(verdict, NOW, live=live)
    return board


def window(snapshot: Snapshot, key: SliceKey = ALL, **wanted: object) -> WindowStats:
    """The one window of that slice and those fields; by default the longest."""
    found = [
        stats
        for stats in snapshot.windows
        if stats.slice == key and all(getattr(stats, name) == value for name, value in wanted.items())
    ]
    longest = max(stats.window_s for stats in found)
    (stats,) = [stats for stats in found if stats.window_s == longest]
    return stats
