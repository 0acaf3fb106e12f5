"""Searches for garbage are rare only as long as somebody asked for it."""

import gc

from tournaments.projections.garbage import rarer_searches


def test_searches_are_rarer_until_the_last_who_asked_is_done() -> None:
    usual = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)
        first, second = rarer_searches(), rarer_searches()
        first.__enter__()
        rare = gc.get_threshold()
        second.__enter__()
        first.__exit__(None, None, None)
        still_rare = gc.get_threshold()
        second.__exit__(None, None, None)
        assert rare[0] > 700
        assert still_rare == rare
        assert gc.get_threshold() == (700, 10, 10)
    finally:
        gc.set_threshold(*usual)
