/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// A page of source: from line to line, and to the next one that matters.
"use strict";
arcline.watch = () => {
  const table = document.querySelector("table.source");
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).filter((row) => row.id);
  const walk = arcline.walk(() => rows.filter((row) => row.checkVisibility()));
  const isDiff = table.classList.contains("compared");
  const kinds = isDiff ? ["more", "less", "added", "removed"] : ["hot", "never"];
  const kind = (row) => kinds.find((name) => row.classList.contains(name)) || "";
  // Lines that matter, by the first one of each run of a kind.
  const marks = rows.filter((row, i) => kind(row) &&
    (i === 0 || kind(rows[i - 1]) !== kind(row)));
  const here = () => {
    const row = walk.row || document.getElementById(location.hash.slice(1));
    return row ? rows.indexOf(row) : -1;
  };
  const go = (step, marks) => {
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
  arcline.keys.push(["n", isDiff ? "next line that differs" : "next hot or uncovered line", () => go(1, marks)]);
  arcline.keys.push(["p", isDiff ? "line before that differs" : "hot or uncovered line before", () => go(-1, marks)]);
  const changed = rows.filter((row) => row.classList.contains("changed"));
  if (!changed.length) return;
  const uncovered = changed.filter((row) => row.classList.contains("uncovered"));
  arcline.keys.push(["d", "next changed line", () => go(1, changed)]);
  arcline.keys.push(["D", "changed line before", () => go(-1, changed)]);
  arcline.keys.push(["u", "next changed line that never ran", () => go(1, uncovered)]);
  arcline.keys.push(["U", "changed line before that never ran", () => go(-1, uncovered)]);
};
if (document.querySelector("table.source")) arcline.watch();
