"""``drop7 plot``: pictures of an analyze output."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from pawnstar.drop7.commands.analyze import FORMAT
from pawnstar.drop7.commands.options import Failing, read_text

SIZE = (12.0, 8.0)


def read_decisions(path: str, fail: Any) -> list[dict[str, Any]]:
    """The decision records of an analyze output."""
    records = []
    for number, line in enumerate(read_text(path, "cannot read", fail).splitlines(), 1):
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            fail(f"{path}:{number}: not JSON: {error.msg}")
        if not isinstance(record, dict) or record.get("format") != FORMAT:
            fail(f"{path}:{number}: not an analyze record")
        if record.get("recordType") == "decision":
            try:
                _used(record)
            except (KeyError, TypeError, ValueError) as error:
                fail(f"{path}:{number}: an incomplete record: {type(error).__name__} {error}")
            records.append(record)
    if not records:
        fail(f"{path} contains no decisions")
    return records


def _used(record: dict[str, Any]) -> None:
    """Touch everything that a plot uses of a record, so that what is missing shows here."""
    best_value(record)
    hit_rate(record)
    for name in ("depth", "strata", "root"):
        int(record[name])
    str(record["leaf"])
    for name in ("wallSeconds", "work"):
        float(record["metrics"][name])


def best_value(record: dict[str, Any]) -> float:
    """The value of the chosen column."""
    return max(float(column["value"]) for column in record["columns"] if column["selected"])


def hit_rate(record: dict[str, Any]) -> float:
    """Table hits for each node that the workers searched, in percent."""
    nodes = sum(worker["nodes"] for worker in record["workers"])
    return 100.0 * float(record["metrics"]["cacheHits"]) / float(max(1, nodes))


def plot(path: str, output: str) -> None:
    """Draw values by depth, and time, work and hit rates, a line for each leaf and number of strata."""
    failing = Failing("plot")
    records = read_decisions(path, failing)
    if not output.endswith((".png", ".svg")):
        failing("the output must end in .png or .svg")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        _missing(failing)

    figure = Figure(SIZE, layout="constrained")
    axes = figure.subplots(2, 2)
    panels = (
        (axes[0][0], "Value of the chosen column, one line a position", "value", False),
        (axes[0][1], "Time of a decision", "mean seconds", True),
        (axes[1][0], "Work of a decision", "mean moves and leaves", True),
        (axes[1][1], "Table hits", "mean hits for 100 nodes", False),
    )
    for panel, title, label, logarithmic in panels:
        panel.set_title(title)
        panel.set_xlabel("depth")
        panel.set_ylabel(label)
        panel.grid(alpha=0.3)
        if logarithmic:
            panel.set_yscale("log")
        panel.set_xticks(sorted({record["depth"] for record in records}))
    arms = sorted({(record["leaf"], record["strata"]) for record in records})
    for number, (leaf, strata) in enumerate(arms):
        color = f"C{number % 10}"
        arm = [record for record in records if (record["leaf"], record["strata"]) == (leaf, strata)]
        name = f"{leaf}, {strata} strata"
        for position, root in enumerate(sorted({record["root"] for record in arm})):
            points = sorted((record["depth"], best_value(record)) for record in arm if record["root"] == root)
            axes[0][0].plot(
                *zip(*points, strict=True), color=color, alpha=0.6, marker="o", label=name if position == 0 else None
            )
        depths = sorted({record["depth"] for record in arm})
        for panel, measure in (
            (axes[0][1], lambda record: float(record["metrics"]["wallSeconds"])),
            (axes[1][0], lambda record: float(record["metrics"]["work"])),
            (axes[1][1], hit_rate),
        ):
            means = []
            for depth in depths:
                values = [measure(record) for record in arm if record["depth"] == depth]
                means.append(sum(values) / len(values))
            panel.plot(depths, means, color=color, marker="o", label=name)
    axes[0][0].legend()
    try:
        figure.savefig(output)
    except OSError as error:
        failing(f"cannot create {output}: {error.strerror}")


def _missing(failing: Failing) -> NoReturn:
    failing('drawing needs matplotlib: pip install matplotlib, or in the source tree pip install ".[plots]"')
