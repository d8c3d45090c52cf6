"""What Prometheus reads: commands, requests, commit times, open screens."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
_DRAFTS = (1, 2, 5, 10, 25, 50, 100, 250, 1000)


class Metrics:
    """The metrics of one server, in a registry of their own: two servers in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.commands = Counter(
            "passline_commands", "Commands by name and outcome", ["command", "outcome"], registry=self.registry
        )
        self.requests = Counter("passline_requests", "Requests by status", ["status"], registry=self.registry)
        self.commit_seconds = Histogram(
            "passline_commit_seconds", "Durable commits", buckets=_SECONDS, registry=self.registry
        )
        self.commit_entries = Histogram(
            "passline_commit_entries", "Entries in a commit", buckets=_DRAFTS, registry=self.registry
        )
        self.answer_seconds = Histogram(
            "passline_answer_seconds", "From a command to its answer", buckets=_SECONDS, registry=self.registry
        )
        self.queued = Gauge("passline_queued", "Commands waiting for an answer", registry=self.registry)
        self.tables = Gauge("passline_tables", "Tables in memory", registry=self.registry)
        self.screens = Gauge("passline_screens", "Open screens", registry=self.registry)
        self.shown = Counter(
            "passline_tables_shown", "Whole tables sent, to new and to slow screens", registry=self.registry
        )
        self.snapshot_faults = Gauge(
            "passline_snapshot_faults", "Snapshots not written; the log itself is complete", registry=self.registry
        )
        self.dropped = Counter(
            "passline_dropped",
            "Connections, requests and screens dropped",
            ["reason"],
            registry=self.registry,
        )
        self.connections = Gauge(
            "passline_connections", "Open connections: of sessions, and of strangers", ["of"], registry=self.registry
        )
        self.sequence = Gauge("passline_log_sequence", "The newest entry of the log", registry=self.registry)
        self.views = Gauge("passline_views_sequence", "The newest entry that pages show", registry=self.registry)

    def count_commit(self, drafts: int, seconds: float) -> None:
        """Count a commit."""
        self.commit_seconds.observe(seconds)
        self.commit_entries.observe(drafts)

    def text(self) -> bytes:
        """Return all metrics in the format of Prometheus."""
        return generate_latest(self.registry)
