"""Electronic dice: the published vectors, thrown by three implementations that share no line.

`tests/vectors/dice.json` is for whoever writes a fourth one. It has rolls whose first words are rejected.
"""

import hashlib
import hmac
import math

import pytest

from passline.dice_sources import DiceError
from passline.provable_dice import DiceKeys, check_known_rolls, digest_of_key, provable_roll, roll_key
from tests.dice_vectors import Vector, published


def by_text(vector: Vector) -> tuple[str, str, int, str]:
    """Return key, digest, rejected words and roll, straight from the text of the method."""
    name = b"%b\0%b\0%b" % (vector.log_id.encode(), vector.stream.encode(), vector.number.to_bytes(8, "big"))
    key = hmac.new(bytes.fromhex(vector.master), name, hashlib.sha256).digest()
    said = b"passline dice/1\0" + bytes.fromhex(vector.closing + vector.nonce)
    text = hmac.new(key, said, hashlib.sha256).hexdigest()
    words = [int(text[place : place + 8], 16) * 36**5 for place in range(0, 64, 8)]
    taken = next(place for place, word in enumerate(words) if word % 2**32 >= 2**32 % 36**5)
    first, second = divmod(math.floor(words[taken] / 2**32) // 36**4, 6)
    return key.hex(), hashlib.sha256(key).hexdigest(), taken, f"{first + 1}-{second + 1}"


def test_the_vectors_follow_from_the_text_of_the_method() -> None:
    vectors = published()
    assert len(vectors) >= 40
    for vector in vectors:
        assert by_text(vector) == (vector.key, vector.digest, vector.rejected, vector.roll)
    assert {vector.rejected for vector in vectors} >= {0, 1, 2}
    assert {len(vector.nonce) for vector in vectors} == {0, 64}
    assert len({vector.roll for vector in vectors}) > 20


@pytest.mark.parametrize("vector", published(), ids=lambda vector: f"{vector.stream}-{vector.number}")
def test_a_roll_is_that_of_its_vector(vector: Vector) -> None:
    key = roll_key(bytes.fromhex(vector.master), log_id=vector.log_id, stream=vector.stream, number=vector.number)
    assert (key.hex(), digest_of_key(key)) == (vector.key, vector.digest)
    roll = provable_roll(key, closing=bytes.fromhex(vector.closing), nonce=bytes.fromhex(vector.nonce))
    assert str(roll) == vector.roll


def test_every_part_changes_the_key_and_none_flows_into_the_next() -> None:
    master = bytes(range(32))
    parts = [("a", "b", 1), ("ab", "", 1), ("", "ab", 1), ("a", "b", 2), ("a", "b", 256), ("b", "a", 1)]
    keys = {roll_key(master, log_id=log, stream=stream, number=number) for log, stream, number in parts}
    assert len(keys) == len(parts)
    assert DiceKeys(master, "a").key("b", 1) == roll_key(master, log_id="a", stream="b", number=1)


@pytest.mark.parametrize(("closing", "nonce"), [(31, 0), (33, 0), (0, 32), (32, 1), (32, 31), (32, 33)])
def test_a_hash_or_nonce_of_another_length_is_refused(closing: int, nonce: int) -> None:
    with pytest.raises(DiceError, match="has 32 bytes"):
        provable_roll(bytes(32), closing=bytes(closing), nonce=bytes(nonce))


def test_a_machine_that_computes_other_rolls_must_not_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    check_known_rolls()
    monkeypatch.setattr("passline.provable_dice._TAG", b"passline dice/2\0")
    with pytest.raises(DiceError, match="must not deal"):
        check_known_rolls()
