"""What Prometheus reads: commands, requests, commit times, open screens."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter as Counts
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_DRAFTS = (1, 2, 5, 10, 25, 50, 100, 250, 1000)


class _Histogram(Collector):
    """A histogram that one thread adds to: the library's own takes three locks for each value."""

    def __init__(self, name: str, what: str, bounds: Sequence[float]) -> None:
        self._name, self._what, self._bounds = name, what, bounds
        self._counts, self._sum = [0] * (len(bounds) + 1), 0.0

    def observe(self, value: float) -> None:
        """Add a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield it as Prometheus reads it."""
        names = [*map(str, map(float, self._bounds)), "+Inf"]
        buckets = [*zip(names, map(float, accumulate(self._counts)), strict=True)]
        yield HistogramMetricFamily(self._name, self._what, buckets, self._sum)


class _CommandCounts(Collector):
    """Commands by name and outcome, counted in the event loop."""

    def __init__(self) -> None:
        self.counts: Counts[tuple[str, str]] = Counts()

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield them as Prometheus reads them."""
        family = CounterMetricFamily("passline_commands", "Commands by name and outcome", labels=["command", "outcome"])
        for labels, count in [*self.counts.items()]:
            family.add_metric(labels, count)
        yield family


class Metrics:
    """The metrics of one server, in a registry of their own: two servers in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=self.registry), partial(Gauge, registry=self.registry)
        self._commands = _CommandCounts()
        self._commit_seconds = _Histogram("passline_commit_seconds", "Durable commits", _SECONDS)
        self._commit_entries = _Histogram("passline_commit_entries", "Entries in a commit", _DRAFTS)
        self._answer_seconds = _Histogram("passline_answer_seconds", "From a command to its answer", _SECONDS)
        for own in (self._commands, self._commit_seconds, self._commit_entries, self._answer_seconds):
            self.registry.register(own)
        self.requests = counter("passline_requests", "Requests by status", ["status"])
        self.queued = gauge("passline_queued", "Commands waiting for an answer")
        self.tables = gauge("passline_tables", "Tables in memory")
        self.screens = gauge("passline_screens", "Open screens")
        self.shown = counter("passline_tables_shown", "Whole tables sent, to new and to slow screens")
        self.snapshot_faults = gauge("passline_snapshot_faults", "Snapshots not written; the log itself is complete")
        self.dropped = counter("passline_dropped", "Connections, requests and screens dropped", ["reason"])
        self.connections = gauge("passline_connections", "Open connections: of sessions, and of strangers", ["of"])
        self.sequence = gauge("passline_log_sequence", "The newest entry of the log")
        self.late = gauge("passline_loop_late_seconds", "How late the event loop comes to what is due")
        self.busy = gauge("passline_busy", "1 if tables are shown later than they could be: more load is too much")
        self.views = gauge("passline_views_sequence", "The newest entry that pages show")

    def count_command(self, name: str, outcome: str, seconds: float) -> None:
        """Count a command, and the time until its answer."""
        self._commands.counts[name, outcome] += 1
        self._answer_seconds.observe(seconds)

    def count_commit(self, drafts: int, seconds: float) -> None:
        """Count a commit."""
        self._commit_seconds.observe(seconds)
        self._commit_entries.observe(drafts)

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self.registry)
