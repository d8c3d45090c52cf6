"""What verify tells of a clock that jumps: each jump that stopped play, and the small ones in one line."""

from __future__ import annotations

from passline.tables.views.dealt_by import RecordedJump, jump_lines


def test_many_small_jumps_are_one_line_and_a_great_one_has_its_own() -> None:
    small = [RecordedJump(10 + number, "forward a little", 2_000 + number) for number in range(24)]
    great = RecordedJump(99, "the server's clock was set back by 3600.0 s", -3_600_000)
    assert list(jump_lines([])) == []
    assert list(jump_lines(small[:1])) == ["entry 10: forward a little"]
    assert list(jump_lines([*small, great])) == [
        "entry 99: the server's clock was set back by 3600.0 s",
        "the server's clock was corrected 24 times between entries 10 and 33, by 2.0 s at most; play went on",
    ]
