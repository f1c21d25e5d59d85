# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statistics and Markdown tables of the benchmarks."""
import math
import statistics


def ratio_of(results, base_results):
    """Median of the ratios of CPU time, round by round: a temporary slow-down of the machine
    affects both."""
    return statistics.median(
        result.seconds / base.seconds
        for result, base in zip(results, base_results, strict=True))


def geomean(ratios):
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def markdown(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def overhead_table(results, programs, variants, shown=None):
    """Variants as rows, programs as columns. Rows of reference variants show their CPU time
    instead. shown: leave out other rows."""
    bases = {variant.base: variant for variant in variants
             if variant.base == variant.name}
    rows = []
    for variant in shown or variants:
        row = [variant.title]
        if variant.base == variant.name:
            for program in programs:
                seconds = [result.seconds for result in results[program, variant]]
                row.append(f"{statistics.median(seconds):.2f} s")
            rows.append(row + ["", ""])
            continue
        ratios = [ratio_of(results[program, variant],
                           results[program, bases[variant.base]])
                  for program in programs]
        rows.append(row + [f"{ratio:.2f}" for ratio in ratios]
                    + [f"{geomean(ratios):.2f}", f"{max(ratios):.2f}"])
    header = ["build", *(program.name for program in programs), "mean", "worst"]
    return markdown(header, rows)


def spread_table(results, programs, variants):
    """The spread of the runs of one build: the noise of the machine."""
    rows = []
    for variant in variants:
        if variant.base != variant.name:
            continue
        row = [f"{variant.title}, slowest / fastest"]
        for program in programs:
            seconds = [result.seconds
                       for result in results.get((program, variant), [])]
            row.append(f"{max(seconds) / min(seconds):.2f}" if seconds else "")
        rows.append(row)
    return markdown(["noise", *(program.name for program in programs)], rows)
