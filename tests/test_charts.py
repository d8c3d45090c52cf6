"""Numbers as charts write them."""

from passline.charts import money, nice, one_in, percent


def test_numbers_on_charts_are_short() -> None:
    assert [percent(share) for share in (0, 0.5, 0.0139294, 1, 0.99999999, 1e-9)] == [
        *("0 %", "50 %", "1.39 %", "100 %", "100 %", "1.0e-9"),
    ]
    assert [money(dollars) for dollars in (5, -1200, 2.5)] == ["$5", "-$1,200", "$2.50"]
    assert [one_in(share) for share in (1, 0.01, 1e-6, 1 / 5.59e9)] == [
        *("always", "1 in 100", "1 in 1 million", "1 in 5.59 billion"),
    ]
    assert [nice(width) for width in (1, 1.1, 2.2, 3, 60, 0.3)] == [1, 2, 2.5, 5, 100, 0.5]
