/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// The table of functions out of data/functions.js: sorted, searched, and as
// many rows at a time as browsers draw at once.
"use strict";
arcline.use(arcline.data.functions, document.querySelector("#main"), (data) => {
  const table = document.querySelector("table.functions");
  const body = table.tBodies[0];
  const step = 200;
  const n = data.name.length;
  const folded = data.names.map((name) => name.toLowerCase());
  const name = (i) => data.names[data.name[i]];
  const brief = (i) => data.briefs[data.name[i]] || name(i);
  const calls = (i) => arcline.count(data.calls[i]);
  const place = (i) => {
    const file = data.file[i] && data.files[data.file[i] - 1];
    const line = file && data.line[i] ? `${file}:${data.line[i]}` : file;
    return [line, data.objects[i]].filter((part) => part).join(", ");
  };
  const time = (value) => arcline.time(value, data.rate);
  const percent = (value) => arcline.percent(value, data.all);
  const link = (i) => arcline.address(data, i);

  // What is shown: indices of functions, in order.
  let found = [...data.name.keys()];
  let words = [];
  let hasRun = () => true;
  let order = { by: "self", isUp: false };
  let shown = 0;

  const input = arcline.make("input",
    { type: "search", id: "filter", autocomplete: "off", spellcheck: false,
      placeholder: "Words of a name or a file", "aria-label": "Search functions" });
  const status = arcline.make("output", { htmlFor: "filter" });
  document.querySelector(".filter").append(input, status);
  const more = arcline.make("button", { type: "button", id: "show-more" }, "Show more");
  const rest = document.querySelector("#more");
  if (rest) rest.remove();
  table.closest(".scroll").after(more);

  // A name with the words that were searched for marked.
  const marked = (name) => {
    const spans = [];
    const low = name.toLowerCase();
    if (low.length === name.length)
      for (const word of words)
        for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length))
          spans.push([at, at + word.length]);
    spans.sort((a, b) => a[0] - b[0]);
    const parts = [];
    let end = 0;
    for (const [from, to] of spans) {
      if (from < end) continue;
      parts.push(name.slice(end, from), arcline.make("mark", {}, name.slice(from, to)));
      end = to;
    }
    parts.push(name.slice(end));
    return parts;
  };
  const row = (i) => {
    const cells = [];
    const href = link(i);
    const title = brief(i) === name(i) ? undefined : name(i);
    cells.push(arcline.make("td", {},
      arcline.make(href ? "a" : "span", href ? { href, title } : { title },
        ...marked(brief(i)))));
    if (data.hasTimes)
      for (const [value, mark] of [[data.self[i], ""], [data.total[i], data.estimated[i] ? "~" : ""]])
        cells.push(arcline.make("td", { className: "n wide" }, value ? mark + time(value) : ""),
          arcline.make("td", { className: "n" }, value ? mark + percent(value) : ""));
    cells.push(arcline.make("td", { className: "n" },
      data.calls[i] || data.linked[i] ? arcline.number(data.calls[i]) : ""));
    cells.push(arcline.make("td", { className: "n wide" },
      data.inlined[i] ? arcline.number(data.inlined[i]) : ""));
    cells.push(arcline.make("td", { className: "wide at" }, place(i)));
    return arcline.make("tr", {}, ...cells);
  };
  const showMore = () => {
    const rows = found.slice(shown, shown + step).map(row);
    body.append(...rows);
    shown += rows.length;
    more.hidden = shown >= found.length;
    status.textContent = words.length || found.length < n
      ? `${found.length.toLocaleString("en")} of ${n.toLocaleString("en")} functions`
      : `${n.toLocaleString("en")} functions`;
  };
  const draw = () => {
    body.replaceChildren();
    shown = 0;
    showMore();
  };
  const values = {
    name,
    self: (i) => data.self[i],
    total: (i) => data.total[i],
    calls,
    inlined: (i) => arcline.count(data.inlined[i]),
    where: (i) => place(i),
  };
  const sort = () => {
    const value = values[order.by];
    const sign = order.isUp ? 1 : -1;
    const differ = isText(order.by) ? new Intl.Collator().compare : arcline.compare;
    found.sort((a, b) => sign * differ(value(a), value(b)) || a - b);
  };
  const filter = () => {
    words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = [];
    for (let i = 0; i < n; i++)
      if (hasRun(i) && words.every((word) => folded[data.name[i]].includes(word) ||
          place(i).toLowerCase().includes(word)))
        found.push(i);
    sort();
    draw();
  };

  const columns = data.hasTimes
    ? ["name", "self", "self", "total", "total", "calls", "inlined", "where"]
    : ["name", "calls", "inlined", "where"];
  const heads = [...table.tHead.rows[0].cells];
  const tell = () => heads.forEach((head, i) => {
    const isFirst = columns.indexOf(columns[i]) === i;
    if (isFirst && columns[i] === order.by)
      head.setAttribute("aria-sort", order.isUp ? "ascending" : "descending");
    else
      head.removeAttribute("aria-sort");
  });
  const isText = (by) => by === "name" || by === "where";
  const sortBy = (by, isUp) => {
    order = { by, isUp };
    sort();
    tell();
    draw();
  };
  heads.forEach((head, i) => {
    const button = arcline.make("button", { type: "button", className: "sort" },
      ...head.childNodes);
    button.addEventListener("click", () => sortBy(columns[i],
      order.by === columns[i] ? !order.isUp : isText(columns[i])));
    head.append(button);
  });
  const kinds = [...new Set(columns)];
  arcline.keys.push(["s", "sort by the next column", () => {
    const next = kinds[(kinds.indexOf(order.by) + 1) % kinds.length];
    sortBy(next, isText(next));
  }]);
  arcline.keys.push(["r", "reverse the order", () => sortBy(order.by, !order.isUp)]);
  if (!data.hasTimes) order.by = "calls";

  // #test=NAME: functions that a test ran. Sets of tests are [gap, tests in a row, ...].
  const note = arcline.make("p", { className: "note", hidden: true });
  document.querySelector(".filter").before(note);
  const has = (set, test) => {
    for (let i = 0, first = 0; i < set.length; first += set[i] + set[i + 1], i += 2)
      if (test < first + set[i] + set[i + 1]) return test >= first + set[i];
    return false;
  };
  const choose = async () => {
    const [, text] = location.hash.match(/^#test=(.*)$/) || [];
    note.hidden = text === undefined || !arcline.data.tests;
    hasRun = () => true;
    if (!note.hidden) {
      let name = text;
      try {
        name = decodeURIComponent(text);
      } catch {
        // A "%" that was typed.
      }
      const test = (await arcline.unpack(arcline.data.tests)).indexOf(name);
      const { sets, of } = await arcline.unpack(arcline.data.tested);
      const isChosen = sets.map((set) => has(set, test));
      hasRun = (i) => isChosen[of[i]];
      note.replaceChildren(`Functions that the test ${name} ran. `,
        arcline.make("a", { href: "#" }, "All functions"));
    }
    filter();
  };
  addEventListener("hashchange", choose);
  input.addEventListener("input", filter);
  more.addEventListener("click", showMore);
  arcline.walk(() => [...body.rows]);

  const asked = new URLSearchParams(location.search).get("q");
  if (asked) input.value = asked;
  tell();
  choose();
});
