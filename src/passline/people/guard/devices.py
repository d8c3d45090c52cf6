"""Known devices: a cookie of an earlier log-in, by which its holder is not mistaken for a stranger who guesses.

It opens nothing. It only says that somebody with the right password was here, so their tries are counted apart.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from secrets import token_hex

from passline.people.accounts import Account

__all__ = ["DEVICE_SECONDS", "Devices"]

DEVICE_SECONDS = 180 * 24 * 3600
"""How long a browser keeps the cookie."""


class Devices:
    """The cookies of a house, made with its key. A new password makes those of before strangers again.

    >>> devices, ann = Devices(b"key"), Account("a1", "Ann", frozenset({"player"}))
    >>> cookie = devices.cookie(ann)
    >>> devices.known(cookie, ann) == cookie.split(".")[1], devices.known(cookie[:-1] + "x", ann)
    (True, '')
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def cookie(self, account: Account) -> str:
        """Return a new cookie for a device on which this account just logged in."""
        text = f"{account.id}.{token_hex(8)}.{account.generation}"
        return f"{text}.{self._code(text)}"

    def is_ours(self, cookie: str) -> bool:
        """Return whether this house made a cookie. Quick."""
        text, _, code = cookie.rpartition(".")
        return hmac.compare_digest(code.encode("utf-8", "surrogatepass"), self._code(text).encode())

    def known(self, cookie: str, account: Account | None) -> str:
        """Return the id of a device that is known for this account, or nothing."""
        if account is None or not self.is_ours(cookie):
            return ""
        id_, device, generation, _ = (*cookie.split("."), "", "", "", "")[:4]
        return device if (id_, generation) == (account.id, str(account.generation)) else ""

    def _code(self, text: str) -> str:
        whole = b"passline device/1\0" + text.encode("utf-8", "surrogatepass")
        return hmac.new(self._key, whole, sha256).hexdigest()[:32]
