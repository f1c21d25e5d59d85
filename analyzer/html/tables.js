/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// The table of files: sorted by any column. Folders move with their files, and
// sums stay at the end.
"use strict";
(() => {
  const table = document.querySelector("table.sortable");
  if (!table) return;
  const heads = [...table.tHead.rows[0].cells];
  const text = (row, column) => row.cells[column].textContent.trim();
  const number = (value) => {
    const digits = parseFloat(value.replaceAll(",", ""));
    return Number.isNaN(digits) ? -1 : digits;
  };
  const sort = (column, isNumber, isUp) => {
    const sign = isUp ? 1 : -1;
    const compare = (a, b) => sign * (isNumber
      ? number(text(a, column)) - number(text(b, column))
      : text(a, column).localeCompare(text(b, column)));
    const bodies = [...table.tBodies].filter((body) => !body.classList.contains("last"));
    for (const body of bodies) {
      const [folder, ...rows] = body.rows;
      body.append(folder, ...rows.sort(compare));
    }
    bodies.sort((a, b) => compare(a.rows[0], b.rows[0]));
    table.tHead.after(...bodies);
    heads.forEach((head, i) => {
      if (i === column) head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  };
  heads.forEach((head, column) => {
    if (head.classList.contains("g")) return;
    const isNumber = head.classList.contains("n");
    const button = arcline.make("button", { type: "button", className: "sort" },
      ...head.childNodes);
    button.addEventListener("click", () => {
      const was = head.getAttribute("aria-sort");
      sort(column, isNumber, was ? was === "descending" : !isNumber);
    });
    head.append(button);
  });
  arcline.walk(() => [...table.querySelectorAll("tbody th[scope=row]:has(a)")]
    .map((cell) => cell.parentElement));
})();
