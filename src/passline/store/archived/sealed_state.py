"""What a check knows at the end of an archived segment, sealed by the log's key, in a file beside the segment's.

With it a segment can be verified without those before it: from what was known at its beginning to what is known at its
end. Nobody has to trust it: it must come out again from the entries before it, byte by byte, and the first segment
begins with nothing. Without these files a log is verified in one piece.
"""

from __future__ import annotations

import zlib
from hashlib import sha256

from msgspec import MsgspecError, Struct, msgpack

from passline.store.archived.files import ArchiveFiles
from passline.store.keys import is_signed
from passline.store.log import LogError
from passline.store.named_segments import Segment
from passline.store.sealed import Log

_LEVEL = 6
_IMAGE_BYTES_MAX = 1 << 30


class SealedState(Struct, frozen=True, kw_only=True):
    """The image of a check at the end of a segment."""

    log_id: str
    number: int  # of the segment
    last: int  # its last entry
    after: str  # hex: that entry's hash
    program: str  # the digest of the program that made it: another one may know other things
    key: str  # hex: the log's public key that sealed it
    image: bytes  # compressed
    seal: bytes = b""

    def read_image(self) -> bytes:
        """Return the image."""
        unpacker = zlib.decompressobj()
        image = unpacker.decompress(self.image, _IMAGE_BYTES_MAX)
        if not unpacker.eof:
            raise LogError(f"the state after entry {self.last:,} cannot be read: it is cut, or too long")
        return image

    def message(self) -> bytes:
        """Return what is sealed."""
        head = (self.log_id, self.number, self.last, self.after, self.program, self.key)
        return b"passline state/1\0" + msgpack.encode((*head, sha256(self.image).hexdigest()))


def state_name(number: int) -> str:
    """Return the name of the file of the state after a segment.

    >>> state_name(7)
    '000007.state'
    """
    return f"{number:06}.state"


def write_state(files: ArchiveFiles, log: Log, segment: Segment, image: bytes, program: str) -> None:
    """Seal what a check knows after a segment, and write it durably."""
    state = SealedState(
        log_id=log.log_id,
        number=segment.number,
        last=segment.last,
        after=segment.after,
        program=program,
        key=log.public_key.hex(),
        image=zlib.compress(image, _LEVEL),
    )
    fields = {name: getattr(state, name) for name in state.__struct_fields__}
    sealed = SealedState(**{**fields, "seal": log.sign(state.message())})
    with files.write(state_name(segment.number)) as file:
        file.write(msgpack.encode(sealed))


def read_state(files: ArchiveFiles, segment: Segment) -> SealedState:
    """Return the state after a segment; raise LogError, with the file and what is wrong, unless it is sealed for it.

    Without a file it is a FileNotFoundError: nobody sealed it yet.
    """
    file = state_name(segment.number)
    name = files.label(file)
    try:
        state = msgpack.decode(b"".join(files.parts(file)), type=SealedState)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LogError(f"{name}: {error.strerror or error}") from error
    except MsgspecError as error:
        raise LogError(f"{name} was changed: {error}") from error
    if (state.number, state.last, state.after) != (segment.number, segment.last, segment.after):
        raise LogError(f"{name} is of another segment than {segment.name}")
    if not is_signed(state.message(), state.seal, bytes.fromhex(state.key)):
        raise LogError(f"{name} was changed: its seal does not hold")
    return state
