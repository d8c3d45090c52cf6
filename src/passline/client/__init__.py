"""A client of a Passline server, with the same commands as its pages.

    with Client("http://127.0.0.1:8000") as client:
        client.log_in("Ann", "correct horse battery")
        client.command("maryland-1", MakeWager(seat=1, wager="pass", cents=10_00))
        with client.live("maryland-1") as live:
            for news in live:
                print(news.sequence, *news.lines)

A command is sent under an id until it is answered, so a broken connection neither loses nor repeats it.
"""

from passline.client.account import Client
from passline.client.answers import Receipt, RequestRefused, Unreachable
from passline.client.live_table import News, RollNotProved, TableConnection

__all__ = ["Client", "News", "Receipt", "RequestRefused", "RollNotProved", "TableConnection", "Unreachable"]
