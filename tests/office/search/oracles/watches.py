"""A watch ends when what it watches is mended, and for no other reason while players are at the table."""

from __future__ import annotations

from passline.acts.judges.conditions import unmet_conditions
from passline.acts.schema import Watch
from tests.office.search.oracles.oracle import Oracle, cited
from tests.office.search.world import Step


class WatchLeft(Oracle):
    """At a table that is dealt, a condition that does not hold stays on record as broken."""

    def see_step(self, step: Step) -> None:
        """Compare what the office has on record as broken with what is so at every table with players."""
        after = step.after
        for table in sorted(after.dealt):
            known = after.state.thing("table", table)
            for name, watch in self.office.rules.pages.watches.items():
                if known is None or watch.thing != "table" or f"{name}|table/{table}" in after.state.broken:
                    continue
                if faults := unmet_conditions({name: watch.needs}, [known], after.scene):
                    act = self._way_out(step, watch, table)
                    self.findings.add("out of a watch's scope", act, cited(watch.needs), faults[0].why, after)

    @staticmethod
    def _way_out(step: Step, watch: Watch, table: str) -> str:
        """Return the act by which the table left the scope of a watch: the first to it that does so."""
        acts = step.before.office.rules.pages.acts
        moved = [
            move.act
            for move in step.after.path
            if table in move.things and (act := acts.get(move.act)) and act.to and act.to not in watch.states
        ]
        return moved[0] if moved and watch.states else step.move.act
