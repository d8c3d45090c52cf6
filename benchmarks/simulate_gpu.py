"""The GPU: its sessions compared with plain Python one by one and with the CPU in total, and its rate.

    python -m benchmarks.simulate_gpu dump FOLDER             write cases and their expected results; needs Passline
    python -m benchmarks.simulate_gpu dump FOLDER machines    the same of wagers that are machines, alone and together
    python -m benchmarks.simulate_gpu check FOLDER            compare every case in every form; needs CuPy and a GPU
    python -m benchmarks.simulate_gpu rate FOLDER             measure rolls per second, all statistics; needs the same

`dump` also copies the few modules that `check` and `rate` import, so the machine with the GPU needs no more.
"""

from __future__ import annotations

import ast
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SEED = 0x1234567890ABCDEF
FIRST = 2**32 - 1000  # so that session numbers cross into the high word
MANY = 500_000  # sessions compared in total
PACKAGE = Path(__file__).resolve().parent.parent / "src" / "passline"
ENTRANCE = "passline.simulation.backends.gpu.device"  # what `check` and `rate` import; it imports the rest
WORKLOADS = {
    "W1 flat pass": "pass",
    "W2 three-point molly 2x": "molly",
    "W3 place 5, 6, 8, field": "iron_cross:field=$10",
}
ARRAYS = ("next", "cash", "action", "mark", "outlay", "short", "starts")
_Tables = Any  # Passline's own type, which the machine with the GPU does not have
_Limits = Any
_Described = tuple[str, Any, str, _Limits, dict[str, Any], int]
"""A case: its name, rules, strategy, terms, options of the network, and how many sessions are compared one by one."""
LIMITS = (
    "equity",
    "goal",
    "rolls",
    "mark",
    "marks",
    "loss",
    "left_over",
    "stop",
    "trail",
    "wins",
    "losses",
    "has_stops",
)


def dump(folder: Path, which: str = "") -> None:
    """Write each case as one .npz file."""
    from passline.automaton.network import network  # noqa: PLC0415 - the machine with the GPU has only NumPy
    from passline.simulation.kernel_tables import tables_of  # noqa: PLC0415
    from passline.strategy.lookup import strategy_of  # noqa: PLC0415

    shutil.rmtree(folder, ignore_errors=True)
    copy_modules(folder)
    cases = _machine_cases(folder) if which == "machines" else _usual_cases()
    for index, (name, rules, text, terms, options, count) in enumerate(cases):
        tables = tables_of(network(rules, strategy_of(text, rules), **options))
        description = write_case(folder / f"case{index:02}.npz", name, tables, terms, rows=count)
        print(description, flush=True)


def _machine_cases(folder: Path) -> Iterator[_Described]:
    from benchmarks.machine_cases import cases  # noqa: PLC0415
    from tests.rules.side_wagers import rules  # noqa: PLC0415

    for case in cases(folder):
        yield case.name, rules(), case.text, case.terms, case.options, 1000


def _usual_cases() -> list[_Described]:
    from passline.automaton.terms import Terms  # noqa: PLC0415
    from passline.rules.rules import Rules  # noqa: PLC0415

    section2 = Rules.of("section2")
    sides = {"fire": "A", "bonus_craps": "A", "dice_ology": "A", "lucky_shooter": "A"}
    maryland = Rules.of("maryland", house={"side_wagers": sides})
    cases: list[_Described] = [
        (name, section2, text, Terms(bankroll_cents=500_00, rolls=200), {}, 4000) for name, text in WORKLOADS.items()
    ]
    for text, more, options in (
        ("pass", {"bankroll_cents": 100_00, "rolls": 200}, {}),
        ("molly", {"bankroll_cents": 300_00, "rolls": 213, "goal_cents": 500_00}, {}),
        ("molly", {"bankroll_cents": 300_00, "rolls": 150}, {"short": "reduce"}),
        ("iron_cross", {"bankroll_cents": 200_00, "rolls": 77}, {"short": "ride"}),
        ("dolly", {"bankroll_cents": 200_00, "decisions": 30}, {}),
        ("hammerlock", {"bankroll_cents": 400_00, "hands": 6, "goal_cents": 600_00}, {}),
        ("press_collect", {"bankroll_cents": 300_00, "rolls": 200, "shooter_loss_cents": 80_00}, {"short": "ride"}),
        ("molly", {"bankroll_cents": 300_00, "rolls": 200, "shooter_loss_cents": 60_00}, {"short": "reduce"}),
        ("buy_4_10 + lay_4_10 + hardways + any_seven + hop", {"bankroll_cents": 500_00, "rolls": 200}, {}),
        ("pass + fire + bonus_craps + lucky_shooter", {"bankroll_cents": 500_00, "rolls": 200}, {}),
        ("dont_come + place_lose + field + come", {"bankroll_cents": 500_00, "rolls": 200}, {}),
        ("big_ones + horn + six_eight + lay_4_10", {"bankroll_cents": 500_00, "rolls": 100}, {}),
        ("molly + fire", {"bankroll_cents": 300_00, "rolls": 240, "goal_cents": 900_00}, {"budget": 400}),
        ("pass + field + fire + bonus_craps", {"bankroll_cents": 200_00, "rolls": 100}, {"budget": 10}),
        ("martingale", {"bankroll_cents": 2_000_00, "rolls": 100}, {}),
        ("molly", {"bankroll_cents": 60_000_00, "rolls": 300}, {}),
        ("pass", {"bankroll_cents": 50_00, "rolls": 200, "goal_cents": 50_00}, {}),
        ("pass", {"bankroll_cents": 50_00, "rolls": 7}, {}),
    ):
        cases.append((text, maryland, text, Terms(**more), options, 1500))
    colorado = Rules.of("colorado")
    cases.append(("put, big 6 and 8", colorado, "put + big_6_8", Terms(bankroll_cents=300_00, rolls=100), {}, 1500))
    return cases


def write_case(path: Path, name: str, tables: _Tables, terms: _Limits, *, rows: int, sessions: int = MANY) -> str:
    """Write what plain Python and the CPU find for one strategy on its terms; return what the case is."""
    from passline.simulation.backends.cpu.backend import play_sessions  # noqa: PLC0415
    from passline.simulation.backends.gpu.backend import histogram_sizes_of  # noqa: PLC0415
    from passline.simulation.kernel_tables import limits_of  # noqa: PLC0415

    limits = limits_of(tables, terms)
    found = play_sessions(tables, limits, seed=SEED, first=FIRST, sessions=sessions)
    records = _specified(tables, limits, rows)
    description = f"{name}; {terms}; {tables.policy}; {len(tables.starts)} parts, {len(tables)} states"
    np.savez_compressed(
        path,
        **{array: getattr(tables, array) for array in ARRAYS},
        limits=np.array([getattr(limits, limit) for limit in LIMITS]),
        bins=np.array([*vars(histogram_sizes_of(found.shape)).values()]),
        rows=records,
        sums=np.array([[sums.total, sums.squares] for sums in (*found.sums.values(), found.to_ruin)]),
        histograms=np.concatenate([found.final.ravel(), found.peak, found.drawdown, found.by_roll.ravel()]),
        said=np.array(description),
    )
    return f"{description}: endings {np.bincount(records[:, 0], minlength=4).tolist()}"


def copy_modules(folder: Path) -> None:
    """Copy ENTRANCE, the CUDA source beside it and all that it imports into a package without anything else."""
    for path in needed_modules():
        copy = folder / "passline" / path.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for package in {path.parent for path in (folder / "passline").rglob("*")}:
        for level in (package, *package.parents):
            if level.is_relative_to(folder / "passline"):
                (level / "__init__.py").write_text("", encoding="utf-8")


def needed_modules() -> list[Path]:
    """Return the files that importing ENTRANCE reads, following its imports; packages are left out."""
    found: set[Path] = set()
    waiting = [ENTRANCE]
    while waiting:
        path = PACKAGE.joinpath(*waiting.pop().split(".")[1:]).with_suffix(".py")
        if path in found or not path.exists():  # a package is copied empty
            continue
        found |= {path, *path.parent.glob("*.cu")}
        for node in ast.parse(path.read_text(encoding="utf-8")).body:  # only what runs: not under `if TYPE_CHECKING`
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("passline."):
                waiting += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names if alias.name.startswith("passline.")]
    return sorted(found)


def _specified(tables: _Tables, limits: _Limits, count: int) -> NDArray[np.int64]:
    from passline.dice_sources import seeded_rolls  # noqa: PLC0415
    from passline.simulation.reference_session import play_session  # noqa: PLC0415

    def dice(session: int) -> Iterator[int]:
        return ((roll.first - 1) * 6 + roll.second - 1 for roll in seeded_rolls(SEED, session=session))

    return np.array([play_session(tables, limits, dice(FIRST + index)) for index in range(count)], dtype=np.int64)


class Case:
    """A case read from its file, with the attributes of Passline's tables and limits."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as found:
            for name in ARRAYS:
                setattr(self, name, found[name])
            self.rows: NDArray[np.int64] = found["rows"]
            self.sums: NDArray[np.int64] = found["sums"]
            self.histograms: NDArray[np.int64] = found["histograms"]
            self.description = str(found["said"])
            self.bins = [int(size) for size in found["bins"]]
            for name, value in zip(LIMITS, found["limits"], strict=True):
                setattr(self, f"limit_{name}", int(value))

    def __len__(self) -> int:
        return len(self.outlay)  # type: ignore[attr-defined]

    def part(self, index: int) -> slice:
        """Return the cells of a part."""
        ends = (*self.starts.tolist(), len(self.next))  # type: ignore[attr-defined]
        return slice(ends[index], ends[index + 1])


class Limits:
    """The limits of a case."""

    def __init__(self, case: Case) -> None:
        for name in LIMITS:
            setattr(self, name, getattr(case, f"limit_{name}"))


def check(folder: Path) -> int:
    """Compare every case in every form, some sessions one by one and many in total; return how many differ."""
    from passline.simulation.backends.gpu.device import Device, HistogramSizes  # noqa: PLC0415
    from passline.simulation.backends.gpu.entries import FORMS, SUM_LIMBS, sums_of  # noqa: PLC0415

    cases = sorted(folder.glob("case*.npz"))
    if not cases:
        print(f"there is no case in {folder}: write them with dump, where Passline is")
        return 1
    wrong = 0
    for path in cases:
        case = Case(path)
        seen = set()
        for forms in (FORMS, *((form,) for form in FORMS)):
            device: Any = Device(case, Limits(case), HistogramSizes(*case.bins), seed=SEED, forms=forms)  # type: ignore[arg-type]
            if device.form in seen:
                continue
            seen.add(device.form)
            size = len(case.rows)
            has_rows = np.array_equal(device.records(FIRST, size), case.rows)
            chunks = list(device.count(FIRST, MANY, chunk=MANY // 3))
            counts = sum((counts for _, counts in chunks[1:]), start=chunks[0][1])
            has_counts = [
                sum(count for count, _ in chunks) == MANY,
                sums_of(counts) == [(total, squares) for total, squares in case.sums.tolist()],
                np.array_equal(counts[SUM_LIMBS:].astype(np.int64), case.histograms),
            ]
            is_same = has_rows and all(has_counts)
            wrong += not is_same
            print(f"{'same ' if is_same else 'WRONG'} {device.form:6} {case.description}", flush=True)
            if not is_same:
                print("   rows", has_rows, "sessions, sums, histograms", has_counts)
    print(f"compared for each: the dumped sessions one by one, and {MANY:,} sessions in total")
    print("all the same" if not wrong else f"{wrong} DIFFER")
    return wrong


def rate(folder: Path) -> None:
    """Time whole launches (play, finish, tally) with the device's events: the workloads, then one case of each kind."""
    import cupy  # noqa: PLC0415

    properties = cupy.cuda.runtime.getDeviceProperties(0)
    print(properties["name"].decode(), properties["multiProcessorCount"], "multiprocessors, CuPy", cupy.__version__)
    cases = [Case(path) for path in sorted(folder.glob("case*.npz"))]
    found = {
        name[:2]: _rate_of(case, launches=8)
        for case in cases
        for name in WORKLOADS
        if case.description.startswith(name)
    }
    seen: set[tuple[str, int, int]] = set()
    for case in cases[len(found) :]:
        size = len(case).bit_length() // 4
        kind = (case.description.split("; ")[2], len(case.starts), size)  # type: ignore[attr-defined]
        if kind not in seen or "decisions" in case.description:
            seen.add(kind)
            _rate_of(case, launches=2)
    print(json.dumps(found))


def _rate_of(case: Case, *, launches: int) -> int:
    import cupy  # noqa: PLC0415

    from passline.simulation.backends.gpu.device import LAUNCH_SESSIONS, Device, HistogramSizes  # noqa: PLC0415

    device: Any = Device(case, Limits(case), HistogramSizes(*case.bins), seed=SEED)  # type: ignore[arg-type]
    warm = list(device.count(0, LAUNCH_SESSIONS * 2))
    counts = cupy.zeros(len(warm[0][1]), dtype=cupy.uint64)
    seconds = []
    for _ in range(5):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        for index in range(launches):
            device.launch(index % 2 * warm[0][0], warm[0][0], counts)
        end.record()
        end.synchronize()
        seconds.append(cupy.cuda.get_elapsed_time(begin, end) / 1000)
    rolls: int = sum(int(each[0]) + (int(each[1]) << 32) for _, each in warm[:2]) * launches // 2
    middle = sorted(seconds)[len(seconds) // 2]
    print(
        f"{case.description}\n"
        f"    {device.form}: {launches * warm[0][0]:,} sessions, {rolls:.4e} rolls in {middle * 1000:.2f} ms "
        f"(five times: {', '.join(f'{s * 1000:.2f}' for s in seconds)}): {rolls / middle:.3e} rolls/s",
        flush=True,
    )
    return int(rolls / middle)


if __name__ == "__main__":
    verb, where = sys.argv[1], Path(sys.argv[2])
    if verb == "dump":
        dump(where, *sys.argv[3:])
        sys.exit()
    sys.path.insert(0, str(where))
    if verb == "check":
        sys.exit(check(where))
    rate(where)
