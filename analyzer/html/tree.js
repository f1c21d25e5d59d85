/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Files as a tree: folders open and close, any column sorts within each folder, and words
// of a path search all files. The address keeps all of that: #open=FOLDER&sort=3&q=WORDS&changed=1.
"use strict";
(() => {
  const table = document.querySelector("table.tree");
  if (!table) return;
  const body = table.tBodies[0];
  const maxRows = 40; // folders are open at first as far as this many rows are shown
  const heads = [...table.tHead.rows[0].cells];

  // --- Folders and files ---
  const root = { path: "", children: [], depth: -1, isOpen: true };
  const nodes = [];
  let around = root;
  for (const row of body.rows) {
    const depth = Number(row.className.match(/d(\d+)$/)[1]);
    while (around.depth >= depth) around = around.parent;
    const head = row.cells[0];
    const node = { row, depth, parent: around, children: [], path: around.path + head.textContent,
      isFolder: row.classList.contains("folder"), isOpen: false };
    node.folded = node.path.toLowerCase();
    around.children.push(node);
    nodes.push(node);
    if (node.isFolder) around = node;
  }
  const folders = nodes.filter((node) => node.isFolder);
  const files = nodes.filter((node) => !node.isFolder);
  let n = root.children.length;
  let isBoundary = false;
  for (let depth = 0; !isBoundary && folders.some((node) => node.depth === depth); depth++)
    for (const node of folders.filter((one) => one.depth === depth && one.parent.isOpen)) {
      isBoundary ||= n + node.children.length > maxRows;
      if (n + node.children.length > maxRows) continue;
      n += node.children.length;
      node.isOpen = true;
    }

  // --- What is shown ---
  let words = [];
  const changes = heads.findIndex((head) => head.classList.contains("changes"));
  let isChangedOnly = false;
  const box = arcline.make("input", { type: "checkbox" });
  let order = { column: -1, isUp: true }; // -1: as the page has them
  const input = arcline.make("input",
    { type: "search", id: "filter", autocomplete: "off", spellcheck: false,
      placeholder: "Words of a path", "aria-label": "Search files" });
  const status = arcline.make("output", { htmlFor: "filter" });
  const show = () => {
    const isFound = (node) => words.every((word) => node.folded.includes(word)) &&
      (!isChangedOnly || node.row.cells[changes].textContent);
    const isFiltered = words.length || isChangedOnly;
    let nFound = 0;
    for (const node of nodes) node.isShown = false;
    for (const file of files) {
      if (!isFound(file)) continue;
      nFound++;
      for (let node = file; node !== root && !node.isShown; node = node.parent)
        node.isShown = true;
    }
    for (const node of nodes) { // folders come before their content
      const isWithin = isFiltered || node.parent.isOpen;
      node.isVisible = node.isShown && isWithin && (node.parent === root || node.parent.isVisible);
      node.row.hidden = !node.isVisible;
      if (node.isFolder)
        node.button.setAttribute("aria-expanded", isFiltered ? true : node.isOpen);
    }
    const nFiles = `${files.length.toLocaleString("en")} file${files.length === 1 ? "" : "s"}`;
    status.textContent = isFiltered ? `${nFound.toLocaleString("en")} of ${nFiles}` : nFiles;
  };
  const value = (node, column) => {
    const digits = parseFloat(node.row.cells[column].textContent.replaceAll(",", ""));
    return Number.isNaN(digits) ? -Infinity : digits;
  };
  const sort = () => {
    const { column, isUp } = order;
    if (column >= 0) {
      const isNumber = heads[column].classList.contains("n");
      const compare = (a, b) => (isUp ? 1 : -1) * (isNumber
        ? arcline.compare(value(a, column), value(b, column))
        : a.path.localeCompare(b.path));
      for (const node of [root, ...folders]) node.children.sort(compare);
      const rows = [];
      const add = (node) => { rows.push(node.row); node.children.forEach(add); };
      root.children.forEach(add);
      body.replaceChildren(...rows);
    }
    heads.forEach((head, i) => {
      if (i === column) head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  };

  // --- The address ---
  const first = folders.map((node) => node.isOpen).join();
  const remember = () => {
    const state = new URLSearchParams();
    if (folders.map((node) => node.isOpen).join() !== first) {
      if (folders.every((node) => node.isOpen)) state.append("open", "*");
      else for (const node of folders.filter((one) => one.isOpen)) state.append("open", node.path);
      if (!state.has("open")) state.append("open", "");
    }
    if (order.column >= 0) state.set("sort", (order.isUp ? "" : "-") + (order.column + 1));
    if (input.value) state.set("q", input.value);
    if (isChangedOnly) state.set("changed", "1");
    const text = String(state);
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  };
  const restore = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    const open = new Set(state.getAll("open"));
    if (open.size) for (const node of folders) node.isOpen = open.has("*") || open.has(node.path);
    const sorted = Number(state.get("sort"));
    const column = Math.abs(sorted) - 1;
    if (heads[column] && !heads[column].classList.contains("g"))
      order = { column, isUp: sorted > 0 };
    isChangedOnly = changes >= 0 && state.get("changed") === "1";
    box.checked = isChangedOnly;
    input.value = state.get("q") || "";
    words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  };

  // --- By mouse and by keys ---
  const toggle = (node, isOpen) => {
    node.isOpen = isOpen;
    show();
    remember();
  };
  const toggleAll = (isOpen) => {
    for (const node of folders) node.isOpen = isOpen;
    show();
    remember();
  };
  const sortBy = (column, isUp) => {
    order = { column, isUp };
    sort();
    show();
    remember();
  };
  for (const node of folders) {
    const head = node.row.cells[0];
    node.button = arcline.make("button", { type: "button", className: "fold" },
      ...head.childNodes);
    node.button.addEventListener("click", () => toggle(node, !node.isOpen));
    head.append(node.button);
  }
  const columns = [];
  heads.forEach((head, column) => {
    if (head.classList.contains("g")) return;
    columns.push(column);
    const button = arcline.make("button", { type: "button", className: "sort" },
      ...head.childNodes);
    button.addEventListener("click", () => sortBy(column, order.column === column
      ? !order.isUp : !head.classList.contains("n")));
    head.append(button);
  });
  input.addEventListener("input", () => {
    words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    show();
    remember();
  });
  box.addEventListener("change", () => {
    isChangedOnly = box.checked;
    show();
    remember();
  });
  document.querySelector(".filter.paths").append(input, status);
  if (changes >= 0)
    document.querySelector(".filter.paths").append(
      arcline.make("label", {}, box, " Changed files only"));
  const walk = arcline.walk(() => [...body.rows].filter((row) => !row.hidden));
  const at = () => {
    const row = document.activeElement.closest("tr") || walk.row;
    return nodes.find((node) => node.row === row);
  };
  const right = () => {
    const node = at();
    if (!node || !node.isFolder) return;
    if (node.isOpen) walk.row = node.children[0].row;
    else toggle(node, true);
  };
  const left = () => {
    const node = at();
    if (!node) return;
    if (node.isFolder && node.isOpen) toggle(node, false);
    else if (node.parent !== root) walk.row = node.parent.row;
  };
  const sortNext = () => {
    const column = columns[(columns.indexOf(order.column) + 1) % columns.length];
    sortBy(column, !heads[column].classList.contains("n"));
  };
  arcline.keys.push(["ArrowRight", "open the folder, or go into it", right]);
  arcline.keys.push(["ArrowLeft", "close the folder, or go out of it", left]);
  arcline.keys.push(["e", "open all folders", () => toggleAll(true)]);
  arcline.keys.push(["c", "close all folders", () => toggleAll(false)]);
  arcline.keys.push(["s", "sort by the next column", sortNext]);
  arcline.keys.push(["r", "reverse the order", () =>
    order.column >= 0 && sortBy(order.column, !order.isUp)]);
  restore();
  sort();
  show();
  table.classList.add("ready");
  addEventListener("hashchange", () => {
    restore();
    sort();
    show();
  });
})();
