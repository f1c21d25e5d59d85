/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// A page of source: its lines out of the data in the page. Lists of callers, instances and
// the like are made when they are opened: there are thousands on a page of templates.
"use strict";
arcline.use((document.querySelector("#data") || { content: document.createDocumentFragment() })
  .content.textContent, document.querySelector("#main"), async (data) => {
  const { make, number, count } = arcline;
  const testNames = data.tests ? await arcline.unpack(arcline.data.tests) : [];
  const hasTimes = "times" in data;
  const hotShare = 0.05; // of all time, as in `arcline annotate`
  const texts = "text" in data ? data.text.split("\n") : [];
  const times = new Map();
  for (let i = 0; hasTimes && i < data.times.length; i += 2)
    times.set(data.times[i], data.times[i + 1]);
  const changed = new Set(data.changed);
  const time = (value) => arcline.time(value, data.rate);
  const percent = (value) => arcline.percent(value, data.all);
  const timesOf = (n) => `${number(n)} time${count(n) == 1 ? "" : "s"}`;
  const sum = (values) => values.reduce((all, value) => all + BigInt(value), 0n);

  // --- Names and places ---
  const address = (file, line) => {
    const page = data.pages[file];
    const part = Math.floor((line - 1) / data.pageLines);
    return page && `${page}${part > 0 ? `.${part + 1}` : ""}.html#L${line}`;
  };
  const brief = (i) => data.briefs[i] || data.names[i];
  const link = (i) => {
    const title = data.briefs[i] ? data.names[i] : undefined;
    const href = data.places[i].length && address(...data.places[i]);
    if (href) return make("a", { href, title }, brief(i));
    return title ? make("span", { title }, brief(i)) : brief(i);
  };
  const place = (file, line) => {
    const text = `${data.files[file]}:${line}`;
    const href = address(file, line);
    return href ? make("a", { href }, text) : text;
  };

  // A part that is made when it is opened.
  const lazy = (summary, fill, className) => {
    const details = make("details", { className }, make("summary", {}, ...summary));
    details.addEventListener("toggle", () => details.append(...fill()), { once: true });
    return details;
  };
  const list = (items) => make("ul", {}, ...items.map((item) => make("li", {}, ...item)));

  // --- Sets of tests: [gap, tests in a row, ...] ---
  const maxTests = 100; // that are listed
  const nTests = (data.tests || []).map((set) =>
    set.reduce((n, length, i) => n + (i % 2 ? length : 0), 0));
  const ranIn = (set) => `ran in ${number(nTests[set])} test${nTests[set] === 1 ? "" : "s"}`;
  const testLink = (name) => make("a",
    { href: `../functions.html#test=${encodeURIComponent(name)}` }, name);
  const testList = (set) => {
    const items = [];
    let test = 0;
    for (let i = 0; i < data.tests[set].length && items.length < maxTests; i += 2) {
      test += data.tests[set][i];
      const end = test + data.tests[set][i + 1];
      for (; test < end && items.length < maxTests; test++) items.push([testLink(testNames[test])]);
    }
    const nMore = nTests[set] - items.length;
    return list([...items, ...(nMore ? [[`and ${number(nMore)} more`]] : [])]);
  };

  // --- Notes of lines, by their kinds in source_notes.c: [row, ...] ---
  // parts: the rest of a note, split; summary: nodes; item: nodes of a part.
  const split = (values, n) => Array.from({ length: values.length / n },
    (_, i) => values.slice(n * i, n * (i + 1)));
  const outcome = (n, of) => make("td", { className: n === 0 ? "n no" : "n" },
    `${n === 0 ? "never" : number(n)} of ${number(of)}`);
  const conditionTable = (decision) => make("table", {},
    make("thead", {}, make("tr", {}, ...["Condition", "True decided", "False decided"].map((text, i) =>
      make("th", { scope: "col", className: i ? "n" : undefined }, text)))),
    make("tbody", {}, ...decision.map(([text, ...n], i) => make("tr", {},
      make("td", {}, make("code", {}, text || `${i + 1}`)),
      outcome(n[0], n[1]), outcome(n[2], n[3])))));
  let last = []; // names of instances: those of the line before, if a note has none
  const kinds = {
    calls: {
      parts: (note) => split(note.slice(1), 3),
      summary: (parts) => [`${parts.length} callee${parts.length === 1 ? "" : "s"}`],
      item: ([n, i, there]) => [`${number(n)} × `, link(i),
        there ? `, ${time(there)} ${data.rate ? "s" : "samples"} there` : ""],
    },
    branches: {
      parts: (note) => note.slice(1),
      summary: (parts) => {
        const ways = parts.flat();
        const taken = ways.filter((n) => n !== 0).length;
        return [make("span", { className: taken && taken < ways.length ? "part" : undefined },
          `${taken} of ${ways.length} ways`)];
      },
      item: (ways) => ["branch: ", ...ways.flatMap((n, i) => [i ? ", " : "",
        n === 0 ? make("span", { className: "no" }, "never")
          : `${number(n)} (${arcline.percent(Number(n), Number(sum(ways)))} %)`])],
    },
    conditions: { // of decisions: [text, decided by true, true, decided by false, false]
      parts: (note) => note.slice(1),
      summary: (parts) => {
        const all = parts.flat().filter((part) => part instanceof Array);
        const covered = all.filter((one) => one[1] !== 0 && one[3] !== 0).length;
        return [make("span", { className: covered < all.length ? "part" : undefined },
          `${covered} of ${all.length} conditions`)];
      },
      item: (decision) => typeof decision === "number"
        ? [`decision of ${decision} conditions: not instrumented`]
        : ["decision: ", conditionTable(decision)],
    },
    instances: {
      parts: (note) => {
        if (note[1].length) last = note[1];
        return last.map((i, k) => [i, note[k + 2]]);
      },
      summary: (parts) => [`${parts.length} instances`],
      item: ([i, n]) => [`${number(n)} in `, data.names[i]],
    },
    tests: {
      parts: (note) => note.slice(1),
      summary: ([set]) => [ranIn(set)],
      item: (set) => [`${ranIn(set)}:`, testList(set)],
    },
  };
  const notes = new Map(); // by row: [[kind, parts], ...]
  for (const kind of Object.keys(kinds))
    for (const note of data.notes[kind] || []) {
      if (!notes.has(note[0])) notes.set(note[0], []);
      notes.get(note[0]).push([kinds[kind], kinds[kind].parts(note)]);
    }
  const addNotes = (cell, row) => {
    const found = notes.get(row);
    if (!found) return;
    const [kind, parts] = found[0];
    if (kind === kinds.calls && parts.length === 1 &&
        found.slice(1).every(([other]) => other === kinds.tests)) {
      cell.append(make("span", { className: "k" }, ...kind.item(parts[0])));
      found.shift();
      if (!found.length) return;
    }
    cell.append(lazy(found.flatMap(([kind, parts], i) =>
      [i ? " · " : "", ...kind.summary(parts)]),
    () => [list(found.flatMap(([kind, parts]) => parts.map(kind.item)))], "k"));
  };

  // --- Functions that begin on a line ---
  const nColumns = 2 + ("counts" in data) + 2 * hasTimes;
  const heads = new Map();
  for (const head of data.heads) {
    if (!heads.has(head[0])) heads.set(head[0], []);
    heads.get(head[0]).push(head);
  }
  const facts = ([, , calls, inlined, self, total, isEstimate]) => [
    count(calls) > 0 ? make("span", {}, `called ${timesOf(calls)}`)
      : make("span", { className: "no" }, "never called"),
    self || total ? make("span", {}, `self ${time(self)} ${data.rate ? "s" : "samples"}, ` +
      `total ${isEstimate ? "~" : ""}${time(total)}${data.rate ? " s" : ""}`) : "",
    count(inlined) > 0 ? make("span", {}, `inlined ${
      count(inlined) < count(calls) ? timesOf(inlined) : "always"}`) : "",
  ].flatMap((node) => node ? [" ", node] : []);
  const callers = ([, , , , , , , from, n]) => n ? [lazy(
    [`called from ${n} line${n === 1 ? "" : "s"}`],
    () => [list([...split(from, 4).map(([n, file, line, i]) => [`${number(n)} from `,
      place(file, line), i ? ` in ${brief(i - 1)}` : ""]),
    ...(n > from.length / 4 ? [[`and from ${n - from.length / 4} more`]] : [])])])] : [];
  const tests = (set) => nTests[set]
    ? [lazy([ranIn(set)], () => [testList(set)])] : [];
  const describe = (head) =>
    [make("b", {}, data.names[head[1]]), ...facts(head), ...callers(head), ...tests(head[9])];
  const headRow = (found) => {
    const cell = make("td", { colSpan: nColumns });
    if (found.length === 1)
      cell.append(...describe(found[0]));
    else
      cell.append(make("b", {}, brief(found[0][1])), ` and ${found.length - 1} more`,
        ...facts([0, 0, ...[2, 3, 4, 5].map((k) => k < 4
          ? String(sum(found.map((head) => head[k])))
          : found.reduce((all, head) => all + head[k], 0)),
        found.some((head) => head[6])]),
        lazy([`${found.length} functions`], () => [list(found.map(describe))]));
    return make("tr", { className: "f" }, cell);
  };

  // --- Lines ---
  const marks = { "\x81": "c", "\x82": "s", "\x83": "d", "\x84": "w" };
  const highlight = (text) => {
    const code = document.createElement("code");
    for (const [, mark, marked, plain] of
      text.matchAll(/([\x81-\x84])([^\x80]*)\x80|([^\x81-\x84]+)/g)) {
      if (!mark) {
        code.append(plain);
        continue;
      }
      const part = document.createElement("i");
      part.className = marks[mark];
      part.textContent = marked;
      code.append(part);
    }
    return code;
  };
  const cell = (className, text) => {
    const td = document.createElement("td");
    td.className = className;
    td.textContent = text;
    return td;
  };
  const lineRow = (row, line) => {
    const tr = document.createElement("tr");
    const head = document.createElement("th");
    const anchor = document.createElement("a");
    const value = times.get(row) || 0;
    const heat = arcline.heat(value, data.hottest);
    const n = "counts" in data ? data.counts[row] : "";
    tr.id = `L${line}`;
    if (heat) tr.className = `h${heat}${value >= hotShare * data.all ? " hot" : ""}`;
    else if (n === 0) tr.className = "never";
    if (changed.has(row)) {
      tr.classList.add("changed");
      if (n === 0) tr.classList.add("uncovered");
    }
    anchor.href = `#L${line}`;
    anchor.textContent = line;
    head.append(anchor);
    tr.append(head);
    if ("counts" in data) tr.append(cell("n", n === "" ? "" : number(n)));
    if (hasTimes)
      tr.append(cell("n wide", value ? time(value) : ""), cell("n", value ? percent(value) : ""));
    const source = document.createElement("td");
    source.append(highlight(texts[row] || ""));
    addNotes(source, row);
    tr.append(source);
    return tr;
  };
  const numbers = split(data.lines, 2).flatMap(([first, n]) =>
    Array.from({ length: n }, (_, i) => first + i));
  const body = make("tbody");
  const add = (from, end) => body.append(...numbers.slice(from, end).flatMap((line, i) => {
    const found = heads.get(from + i);
    return found ? [headRow(found), lineRow(from + i, line)] : lineRow(from + i, line);
  }));

  // --- The page ---
  const title = (text, className) => make("th", { scope: "col", className }, text);
  const timeTitles = hasTimes
    ? [title(data.rate ? "Self s" : "Samples", "n wide"), title("%", "n")] : [];
  const scroll = (label, table) =>
    make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": label }, table);
  const outline = () => {
    const body = make("tbody", {}, ...data.heads.map(([, i, calls, , self]) => make("tr", {},
      make("td", {}, link(i)), cell("n", number(calls)), ...(hasTimes
        ? [cell("n wide", self ? time(self) : ""), cell("n", self ? percent(self) : "")] : []))));
    return [scroll("Functions on this page", make("table", {}, make("thead", {},
      make("tr", {}, title("Function"), title("Calls", "n"),
        ...timeTitles.map((head) => head.cloneNode(true)))), body))];
  };
  const table = make("table", { className: "source" }, make("thead", {}, make("tr", {},
    title("Line", "n"), ...("counts" in data ? [title("Count", "n")] : []), ...timeTitles,
    title("Source"))), body);
  const target = document.querySelector("#source");
  if (data.heads.length)
    target.append(lazy([`${data.heads.length} function${data.heads.length === 1 ? "" : "s"} on this page`],
      outline, "outline"));
  target.append(scroll("Source", table));
  // What is seen first is drawn first, unless the address has a line.
  const nFirst = location.hash ? numbers.length : 300;
  add(0, nFirst);
  const finish = () => {
    add(nFirst, numbers.length);
    table.classList.add("ready");
    arcline.watch();
    // The line of the address, and the place that the reader comes back to, exist only now.
    const state = history.state;
    if (location.hash) location.replace(location.hash);
    if (state) scrollTo({ top: state.top, behavior: "instant" });
  };
  let timer;
  const keep = () => history.replaceState({ top: scrollY }, "");
  addEventListener("scroll", () => {
    clearTimeout(timer);
    timer = setTimeout(keep, 100);
  });
  addEventListener("pagehide", keep);
  if (nFirst >= numbers.length) finish();
  else if (document.hidden) setTimeout(finish);
  else requestAnimationFrame(() => setTimeout(finish));
});
