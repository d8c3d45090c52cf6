"""Links to the big screen: one for each tournament, which ends with the next, by the director's word, or by itself."""

from __future__ import annotations

from threading import Barrier, Thread

import pytest

from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.web.auth.screen_links import ScreenLinks

NOW, A_MONTH_LATER = "2026-03-02T12:00:00.000000Z", "2026-04-03T12:00:00.000000Z"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog(SigningKey(bytes(32)))


def test_a_link_shows_its_tournament_until_it_ends(log: MemoryLog) -> None:
    links = ScreenLinks(log)
    first, other = links.make("cup", NOW), links.make("classic", NOW)
    assert [links.tournament(token, NOW) for token in (first, other)] == ["cup", "classic"]
    assert links.tournament(first, A_MONTH_LATER) == "", "a screen that is forgotten goes dark"
    second = links.make("cup", NOW)
    assert [links.tournament(token, NOW) for token in (first, second, other)] == ["", "cup", "classic"]
    assert (links.revoke("cup", NOW), links.revoke("cup", NOW)) == (True, False)
    assert [links.tournament(token, NOW) for token in (second, other)] == ["", "classic"]


def test_nobody_guesses_a_link_or_reads_it_out_of_the_vault(log: MemoryLog) -> None:
    links = ScreenLinks(log)
    token = links.make("cup", NOW)
    (row,) = log.vault.all()
    assert token.partition(".")[2].encode() not in row.value
    stolen = f"cup.{row.value.decode(errors='replace')}"
    altered = (token[:-1], f"{token}a", token.replace("cup", "classic"), token.partition(".")[2])
    for guess in ("", "cup", "cup.", "\ud800", "cup.é", stolen, *altered):
        assert links.tournament(guess, NOW) == "", guess


def test_of_links_that_two_directors_make_at_once_one_is_left_and_ends(
    log: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each writes after both have begun: a link beside the tournament's own could not be ended."""
    both, put, made = Barrier(2, timeout=60), log.vault.put, list[str]()

    def put_after_both(secret: object) -> None:
        both.wait()
        put(secret)  # type: ignore[arg-type]

    monkeypatch.setattr(log.vault, "put", put_after_both)
    directors = [Thread(target=lambda: made.append(ScreenLinks(log).make("cup", NOW))) for _ in range(2)]
    for director in directors:
        director.start()
    for director in directors:
        director.join()
    links = ScreenLinks(log)
    assert sorted(links.tournament(token, NOW) for token in made) == ["", "cup"]
    assert links.revoke("cup", NOW)
    assert [links.tournament(token, NOW) for token in made] == ["", ""]
