r"""Electronic dice that anybody can prove from the log, roll by roll.

1. Before wagers close, the log holds the SHA-256 of the key of the next roll: nobody can choose another key later.
2. An entry closes wagers. Its hash is part of the roll, so no die exists before it is durable.
3. The entry of the roll reveals the key, so that everybody can throw the same dice again:

>>> key = roll_key(bytes(32), log_id="a-log", stream="table/craps-1", number=1)
>>> digest_of_key(key) == sha256(key).hexdigest()  # in the log before wagers close
True
>>> str(provable_roll(key, closing=sha256(b"the closing entry").digest(), nonce=bytes(32)))
'3-5'

The shooter adds a nonce, which is sent after the closing entry is durable; its SHA-256 is in that entry.

HMAC-SHA-256(key, "passline dice/1" 0x00 || hash of the closing entry || nonce) is eight big-endian words of 32 bits.
A word times 36^5 is rejected if its low half is under 2^32 mod 36^5, as in `dice_sources`; otherwise the first base-36
digit of its high half is the roll. If all eight are rejected (once in 10^26), 1, 2, ... is appended to the message as a
big-endian word.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from itertools import count

from passline.dice import Roll
from passline.dice_sources import DiceError, rolls_of_word

NONCE_BYTES = 32
"""The length of a shooter's nonce; a roll without one has an empty nonce."""
_TAG = b"passline dice/1\0"
_WORD_BYTES = 4
_HASH_BYTES = 32


def roll_key(master: bytes, *, log_id: str, stream: str, number: int) -> bytes:
    """Return the key of one roll: HMAC-SHA-256 under the master secret, of log id, stream and number.

    The log id and the stream end with a zero byte each; the number has eight bytes, big-endian.
    """
    message = log_id.encode() + b"\0" + stream.encode() + b"\0" + number.to_bytes(8)
    return hmac.digest(master, message, sha256)


def digest_of_key(key: bytes) -> str:
    """Return the SHA-256 of a key in hex, which stands in the log before the key is used."""
    return sha256(key).hexdigest()


def provable_roll(key: bytes, *, closing: bytes, nonce: bytes) -> Roll:
    """Return the roll that follows from a key, the hash of the entry that closed wagers, and the shooter's nonce."""
    if len(closing) != _HASH_BYTES or len(nonce) not in {0, NONCE_BYTES}:
        raise DiceError(f"a closing entry's hash has {_HASH_BYTES} bytes and a nonce {NONCE_BYTES}, or none")
    message = _TAG + closing + nonce
    for block in count():
        digest = hmac.digest(key, message + (block.to_bytes(_WORD_BYTES) if block else b""), sha256)
        for place in range(0, len(digest), _WORD_BYTES):
            if rolls := rolls_of_word(int.from_bytes(digest[place : place + _WORD_BYTES])):
                return rolls[0]
    raise AssertionError  # count() never ends


class DiceKeys:
    """The keys of every roll of a house, from one master secret that lies outside the database."""

    def __init__(self, master: bytes, log_id: str) -> None:
        self._master, self._log_id = master, log_id

    def key(self, stream: str, number: int) -> bytes:
        """Return the key of a roll, to reveal it once wagers are closed."""
        return roll_key(self._master, log_id=self._log_id, stream=stream, number=number)

    def digest(self, stream: str, number: int) -> str:
        """Return the digest of a key, to commit to it."""
        return digest_of_key(self.key(stream, number))


_KNOWN_ROLLS = "2-1 6-3 5-3 5-3 3-5 2-1"  # of closings of 32 bytes 0, 1, ... 5; the odd ones with a nonce of the same


def check_known_rolls() -> None:
    """Throw dice whose results are known; raise DiceError if this machine computes others. A server starts with it."""
    key = roll_key(bytes(32), log_id="a-log", stream="table/craps-1", number=1)
    for byte, known in enumerate(_KNOWN_ROLLS.split()):
        closing = bytes([byte] * _HASH_BYTES)
        rolled = str(provable_roll(key, closing=closing, nonce=closing if byte % 2 else b""))
        if rolled != known:
            raise DiceError(f"the electronic dice show {rolled} where {known} is right: this machine must not deal")
