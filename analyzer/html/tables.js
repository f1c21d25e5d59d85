/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Tables that are whole on their page: sorted by any column, and searched where the
// page has room for a field. Sums stay at the end.
"use strict";
const sortable = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  const text = (row, column) => row.cells[column].textContent.trim();
  const number = (value) => {
    if (value === "new") return Infinity;
    const digits = parseFloat(value.replaceAll(",", "").replace("±", ""));
    return value === "gone" ? -100 : Number.isNaN(digits) ? -Infinity : digits;
  };
  const difference = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const sort = (column, isNumber, isUp) => {
    const sign = isUp ? 1 : -1;
    const compare = (a, b) => sign * (isNumber
      ? difference(number(text(a, column)), number(text(b, column)))
      : text(a, column).localeCompare(text(b, column)));
    const bodies = [...table.tBodies].filter((body) => !body.classList.contains("last"));
    for (const body of bodies) body.append(...[...body.rows].sort(compare));
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
};

(() => {
  const tables = [...document.querySelectorAll("table.sortable")];
  if (!tables.length) return;
  tables.forEach(sortable);
  const rows = tables.flatMap((table) => [...table.tBodies].flatMap((body) => [...body.rows]))
    .filter((row) => row.querySelector("th[scope=row]:has(a), td"));
  if (!document.querySelector("table.tree"))
    arcline.walk(() => tables.flatMap((table) => [...table.querySelectorAll("tbody tr")])
      .filter((row) => !row.hidden && row.querySelector("th[scope=row] a, td:first-child")));

  const place = document.querySelector(".filter:not(.paths)");
  if (!place) return;
  const input = arcline.make("input",
    { type: "search", id: "filter", autocomplete: "off", spellcheck: false,
      placeholder: "Words of a row", "aria-label": "Search this table" });
  const status = arcline.make("output", { htmlFor: "filter" });
  place.append(input, status);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      n += !row.hidden;
    });
    status.textContent = words.length
      ? `${n.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`
      : `${rows.length.toLocaleString("en")} rows`;
  };
  input.addEventListener("input", filter);
  input.value = new URLSearchParams(location.search).get("q") || "";
  filter();
})();
