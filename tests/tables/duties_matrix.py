"""Who may give which command, as a table that a person can review; and a sample of every command."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

from passline.authority.roles import STAFF
from passline.people import commands as p
from passline.tables import commands as k

# yes: may give it. key: may key it in for a player, where the dice are physical. sign: signs it off for somebody else.
# The staff of the office do nothing at tables or for the house, only what everybody may do for their own account.
# A guest of a demo is a player; somebody who is not logged in is a visitor, and gives no command of a table.
MATRIX = """
                   player dealer stickperson boxperson floorperson owner    regulator surveillance visitor
open-table         .      .      .           sign      yes+sign    yes      .         .            .
close-table        .      .      .           sign      yes+sign    yes      .         .            .
seat-player        yes    key    key         key       key+sign    .        .         .            .
take-seat          yes    key    key         key       key         .        .         .            .
leave-seat         yes    key    key         yes       yes         .        .         .            .
stand-up           yes    key    key         key       key         .        .         .            .
sit-down           yes    key    key         key       key         .        .         .            .
buy-in             yes    yes    .           .         .           .        .         .            .
fill               .      .      .           yes+sign  yes+sign    .        .         .            .
credit             .      .      .           yes+sign  yes+sign    .        .         .            .
make-wager         yes    yes    yes         .         .           .        .         .            .
reduce-wager       yes    yes    yes         .         .           .        .         .            .
remove-wager       yes    yes    yes         .         .           .        .         .            .
call-wager         yes    key    key         key       key         .        .         .            .
place-button       .      yes    yes         yes       yes         .        .         .            .
confirm-wager      .      yes    yes         yes       yes         .        .         .            .
offer-dice         .      yes    yes         yes       yes         .        .         .            .
accept-dice        yes    key    key         key       key         .        .         .            .
decline-dice       yes    yes    yes         yes       yes         .        .         .            .
choose-dice        yes    key    key         key       key         .        .         .            .
surrender-dice     yes    key    key         key       key         .        .         .            .
decline-line-wager yes    key    key         key       key         .        .         .            .
order-dice-passed  .      yes    yes         yes       yes         .        .         .            .
pass-dice          .      yes    yes         yes       yes         .        .         .            .
throw-dice         .      .      .           .         .           .        .         .            .
land-dice          .      .      .           .         .           .        .         .            .
roll-dice          .      .      .           .         .           .        .         .            .
roll               yes    .      .           .         .           .        .         .            .
take-nonce         .      .      .           .         .           .        .         .            .
complete-roll      .      .      .           .         .           .        .         .            .
commit-dice        .      .      .           .         .           .        .         .            .
renew-dice         .      .      .           .         sign        yes+sign .         .            .
dice-out           .      yes    yes         .         .           .        .         .            .
key-dice           .      yes    yes         .         .           .        .         .            .
call-no-roll       .      yes    yes         yes       yes         .        .         .            .
call-roll          .      yes    yes         yes       yes         .        .         .            .
settle             .      yes    yes         yes       yes         .        .         .            .
dispute-faces      yes    key    key         key       key         .        .         .            .
decide-dispute     .      yes    yes         yes       yes         .        .         .            .
correct-roll       .      yes    yes         yes+sign  yes         .        .         .            .
freeze-table       yes    yes    yes         yes       yes         .        .         .            .
report-shown       .      .      .           .         .           .        .         .            .
release-table      .      .      .           yes       yes+sign    .        .         .            .
notice-limits      .      .      .           yes       yes+sign    yes      .         .            .
close-meter        .      .      .           .         sign        yes+sign .         .            .
open-meter         .      .      .           .         sign        yes+sign .         .            .
adopt-rulebook     .      .      .           .         sign        yes+sign .         .            .
change-house       .      .      .           .         yes+sign    yes+sign .         .            .
report-conduct     .      yes    yes         yes       yes         .        .         yes          .
put-in-dice        .      .      .           yes       yes         .        .         .            .
condemn-dice       .      yes    yes         yes       yes         .        .         yes          .
report-irregularity .     yes    yes         yes       yes         .        .         yes          .
direct-action      .      yes    yes         yes       yes         .        .         .            .
observe-action     .      yes    yes         yes       yes         .        .         .            .
enter-paper        .      .      .           .         .           .        .         .            .
seat-entrants      .      .      .           .         .           .        .         .            .
finish-round       .      .      .           .         .           .        .         .            .
rate-player        .      .      .           yes       yes         .        .         .            .

file-approval      .      .      .           .         .           yes      .         .            .
withdraw-approval  .      .      .           .         .           yes      .         .            .
file-report        .      .      .           yes       yes         yes      yes       yes          .
close-shift        .      .      .           sign      yes+sign    yes+sign .         .            .
record-clock-jump  .      .      .           .         .           .        .         .            .
record-clock-sync  .      .      .           .         .           .        .         .            .
keep-rulebook      .      .      .           .         .           .        .         .            .
record-start       .      .      .           .         .           .        .         .            .
set-odds           .      .      .           .         .           .        .         .            .
elect-office       .      .      .           .         sign        yes+sign .         .            .

create-account     .      .      .           .         yes         yes      .         .            .
change-roles       .      .      .           .         yes         yes      .         .            .
disable-account    .      .      .           .         yes         yes      .         .            .
enable-account     .      .      .           .         yes         yes      .         .            .
invite             .      .      .           .         yes         yes      .         .            .
set-password       yes    yes    yes         yes       yes         yes      yes       yes          .
set-pin            yes    yes    yes         yes       yes         yes      yes       yes          .
log-in             yes    yes    yes         yes       yes         yes      yes       yes          .
accept-invitation  .      .      .           .         .           .        .         .            yes
register           .      .      .           .         .           .        .         .            yes
welcome-guest      .      .      .           .         .           .        .         .            yes
elect-dual-control .      .      .           .         .           yes      .         .            .
elect-password-age .      .      .           .         .           yes      .         .            .
elect-retention    .      .      .           .         .           yes      .         .            .
elect-provider     .      .      .           .         .           yes      .         .            .
link-account       .      .      .           .         .           yes      .         .            .
unlink-account     .      .      .           .         .           yes      .         .            .
log-in-by-provider .      .      .           .         .           .        .         .            .
refuse-by-provider .      .      .           .         .           .        .         .            .
elect-second-factor .     .      .           .         .           yes      .         .            .
add-authenticator  yes    yes    yes         yes       yes         yes      yes       yes          .
remove-authenticator yes  yes    yes         yes       yes         yes      yes       yes          .
give-assertion     .      .      .           .         .           .        .         .            .
break-glass        .      .      .           .         .           .        .         .            .
bind-secrets       .      .      .           .         .           .        .         .            .
record-incidents   .      .      .           .         .           .        .         .            .
"""


def rows() -> Iterator[tuple[str, dict[str, str], list[str]]]:
    """Each command with what every role may, and who signs it."""
    roles, *lines = (line.split() for line in MATRIX.splitlines() if line.strip())
    for name, *cells in lines:
        given = dict(zip(roles, cells, strict=True))
        given |= dict.fromkeys(
            STAFF, "yes" if given["surveillance"] == given["regulator"] == given["dealer"] == "yes" else "."
        )
        signed = [role for role, cell in given.items() if cell.endswith("sign")]
        yield name, {role: cell.removesuffix("sign").removesuffix("+") or "." for role, cell in given.items()}, signed


def tag(command: type) -> str:
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]


ALLOWED = {name: cells for name, cells, _ in rows()}
TABLE_COMMANDS = {tag(command): command for command in get_args(k.TableCommand)}
PEOPLE_COMMANDS = {tag(command): command for command in get_args(p.PeopleCommand)}
HOUSE_COMMANDS = {tag(command): command for command in get_args(k.HouseCommand)}
COMMANDS = TABLE_COMMANDS | PEOPLE_COMMANDS | HOUSE_COMMANDS


def sample(command: type) -> Any:  # noqa: ANN401 - a command of any kind
    """A command with something in every field that must be given."""
    nothing: dict[Any, Any] = {kind: {} for kind in (dict[str, Any], dict[str, int], dict[str, str])}
    values = {int: 1, str: "x", tuple[int, ...]: (1, 2), tuple[k.Entrant, ...]: (), **nothing}
    asked = {field.name: field.type for field in msgspec.structs.fields(command) if field.required}
    return command(
        **{name: get_args(kind)[0] if get_origin(kind) is Literal else values[kind] for name, kind in asked.items()}
    )
