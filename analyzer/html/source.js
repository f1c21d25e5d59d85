/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// A page of source: from line to line, and to the next one that matters.
"use strict";
(() => {
  const table = document.querySelector("table.source");
  if (!table) return;
  const rows = [...table.tBodies[0].rows].filter((row) => row.id);
  const walk = arcline.walk(() => rows);
  const kind = (row) =>
    row.classList.contains("hot") ? "hot" : row.classList.contains("never") ? "never" : "";
  // Lines that matter, by the first one of each run of a kind.
  const marks = rows.filter((row, i) => kind(row) &&
    (i === 0 || kind(rows[i - 1]) !== kind(row)));
  const here = () => {
    const row = walk.row || document.getElementById(location.hash.slice(1));
    return row ? rows.indexOf(row) : -1;
  };
  const go = (step) => {
    const place = here();
    const ahead = step > 0 ? marks.find((row) => rows.indexOf(row) > place)
      : marks.findLast((row) => rows.indexOf(row) < place);
    if (ahead) {
      walk.row = ahead;
      return;
    }
    const link = document.querySelector(step > 0 ? "a[rel=next]" : "a[rel=prev]");
    if (link) link.focus();
  };
  arcline.keys.push(["n", "next hot or uncovered line", () => go(1)]);
  arcline.keys.push(["p", "hot or uncovered line before", () => go(-1)]);
})();
