"""What Prometheus reads: commands, requests, commit times, open screens."""

from __future__ import annotations

from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_DRAFTS = (1, 2, 5, 10, 25, 50, 100, 250, 1000)


class Metrics:
    """The metrics of one server, in a registry of their own: two servers in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=self.registry), partial(Gauge, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        self.commands = counter("passline_commands", "Commands by name and outcome", ["command", "outcome"])
        self._by_outcome: dict[tuple[str, str], Counter] = {}
        self.requests = counter("passline_requests", "Requests by status", ["status"])
        self.commit_seconds = histogram("passline_commit_seconds", "Durable commits", buckets=_SECONDS)
        self.commit_entries = histogram("passline_commit_entries", "Entries in a commit", buckets=_DRAFTS)
        self.answer_seconds = histogram("passline_answer_seconds", "From a command to its answer", buckets=_SECONDS)
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
        counter = self._by_outcome.get((name, outcome))
        if counter is None:  # looking one up takes longer than counting
            counter = self._by_outcome[name, outcome] = self.commands.labels(name, outcome)
        counter.inc()
        self.answer_seconds.observe(seconds)

    def count_commit(self, drafts: int, seconds: float) -> None:
        """Count a commit."""
        self.commit_seconds.observe(seconds)
        self.commit_entries.observe(drafts)

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self.registry)
