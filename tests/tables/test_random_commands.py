"""A live table keeps its promises whatever commands arrive, in whatever order."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from passline.tables.views.table_view import own_of, view_of
from tests.cases import budget
from tests.tables.random_commands import TABLES, open_table, play_randomly
from tests.tables.sitting import PLAYERS


@pytest.mark.parametrize(("rules", "dice", "automate"), TABLES)
@settings(max_examples=budget(3, in_sweep=15))
@given(random=st.randoms(use_true_random=True))
def test_random_play_keeps_the_ledger_balanced_the_news_complete_and_racks_private(
    rules: str, dice: str, automate: str, random: Random
) -> None:
    sitting = open_table(rules, dice, automate)
    play_randomly(sitting, random, 120)
    money, view = sitting.table.game.money, json.encode(view_of(sitting.table)).decode()
    assert "rack" not in view
    for who in PLAYERS:
        own = own_of(sitting.table, who)
        assert own is not None
        assert own["rack"] == (money.racks[own["seat"] - 1] if own["seat"] else 0)
        assert "racks" not in own
        assert "bank" not in own
