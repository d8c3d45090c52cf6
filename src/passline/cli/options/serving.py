"""Options of `passline serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

__all__ = [
    "AnchorOption",
    "DataOption",
    "DatabaseOption",
    "DemoOption",
    "HostOption",
    "MetricsHostOption",
    "MetricsPortOption",
    "NameOption",
    "OfficeOption",
    "PortOption",
    "ProxyOption",
    "RebuildViewsOption",
    "RegistrationOption",
    "TLSCertOption",
    "TLSKeyOption",
    "WorkersOption",
]

HostOption = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all networks.")]
"""--host"""
PortOption = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")]
"""--port"""
DataOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of the log and its key; created if it is missing.")
]
"""--data"""
DatabaseOption = Annotated[
    str, typer.Option(metavar="URL", help="postgresql://USER@HOST/NAME, for servers on several machines.")
]
"""--database"""
DemoOption = Annotated[
    bool, typer.Option("--demo", help="Play money and computer players, without accounts; on this machine only.")
]
"""--demo"""
WorkersOption = Annotated[
    int,
    typer.Option(
        min=1, max=64, help="Server processes; each serves some of the tables. Two to four are a good number."
    ),
]
"""--workers"""
NameOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="A host name by which browsers reach this server. May be repeated; IP addresses need none.",
    ),
]
"""--name"""
ProxyOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="A proxy (or network of them) before this server; its X-Forwarded-For is believed. May be repeated.",
    ),
]
"""--proxy"""
RegistrationOption = Annotated[
    Literal["auto", "open", "closed"],
    typer.Option(
        help="open: players create accounts themselves; closed: an owner or a floorperson opens their accounts; "
        "auto: open if only this machine reaches the server, otherwise closed."
    ),
]
"""--registration"""
AnchorOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHERE",
        help="Keep heads of the log outside its database: a file on another volume, postgresql://..., https://..., "
        "or print:DEVICE. May be repeated.",
    ),
]
"""--anchor"""
TLSCertOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Serve HTTPS with this certificate and its chain, in PEM.")
]
"""--tls-cert"""
TLSKeyOption = Annotated[Path | None, typer.Option(metavar="FILE", help="The key of that certificate, in PEM.")]
"""--tls-key"""
MetricsPortOption = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535, help="Serve /metrics for Prometheus on this port; each further process takes the next."
    ),
]
"""--metrics-port"""
MetricsHostOption = Annotated[str, typer.Option(help="The address for metrics.")]
"""--metrics-host"""
OfficeOption = Annotated[
    Literal["here", "elsewhere"],
    typer.Option(help="Where a new house keeps its back office; here: tables for money open when their list is green."),
]
"""--office"""
RebuildViewsOption = Annotated[
    bool,
    typer.Option("--rebuild-views", help="Make again from the log what pages show of it: records, search, hands."),
]
"""--rebuild-views"""
