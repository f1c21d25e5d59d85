/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// What all pages do: colours, keys, help. Other scripts put their keys into
// arcline.keys: [key, what it does, function]; without one the key is told of only.
"use strict";
const arcline = {
  keys: [],
  data: {}, // of files in data/, packed

  // Data as `arcline html` packs it: JSON, compressed, in base64.
  async unpack(text) {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  },
  // The same, and then use it; if the browser cannot, a note in a place reports it.
  async use(text, place, then) {
    if (!text) return;
    if (!window.DecompressionStream) {
      place.prepend(arcline.make("p", { className: "note" },
        "This browser is too old to unpack the data of this page."));
      return;
    }
    then(await arcline.unpack(text));
  },

  // The address of a function of data/functions.js, from the folder of the report; or "".
  address(data, i) {
    const page = data.linked[i] && data.file[i] ? data.pages[data.file[i] - 1] : "";
    if (!page) return "";
    const part = data.line[i] ? Math.floor((data.line[i] - 1) / data.pageLines) : 0;
    return `src/${page}${part ? `.${part + 1}` : ""}.html#L${data.line[i]}`;
  },

  // A count is a number, or a text if it is larger than numbers are exact.
  count(value) { return typeof value === "string" ? BigInt(value) : value; },
  compare(a, b) { return a < b ? -1 : a > b ? 1 : 0; },
  // With commas.
  number(value) { return arcline.count(value).toLocaleString("en"); },

  // An element with properties and children; text is only ever text, and undefined is left out.
  make(name, properties, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties || {})) {
      if (value === undefined) continue;
      if (key in element) element[key] = value;
      else element.setAttribute(key, value);
    }
    element.append(...children);
    return element;
  },

  // Times in thousandths of samples: seconds with as many decimals as a sample needs, or
  // samples; shares of all time; heat from 0 to 6.
  time(value, rate) {
    const decimals = rate <= 1 ? 0 : rate <= 100 ? 2 : String(rate - 1).length;
    return (value / 1000 / (rate || 1)).toFixed(decimals);
  },
  percent(value, all) { return all ? (100 * value / all).toFixed(1) : "0.0"; },
  heat(value, hottest) {
    return value > 0 && hottest > 0
      ? Math.min(6, Math.max(1, Math.ceil(6 * Math.sqrt(value / hottest)))) : 0;
  },

  // Mark one row of a list as the present one, and show it.
  choose(row, old) {
    if (old) old.classList.remove("at");
    row.classList.add("at");
    const link = row.querySelector("a, button");
    if (link) link.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest", behavior: "instant" });
    const box = row.getBoundingClientRect();
    const top = document.querySelector(".top").getBoundingClientRect().bottom;
    if (box.top < top + 8 || box.bottom > innerHeight - 8)
      row.scrollIntoView({ block: "center", behavior: "instant" });
  },

  // j and k: to the next and the last one of the rows that rows() tells.
  walk(rows) {
    let at = null;
    const go = (step) => {
      const list = rows();
      if (!list.length) return;
      const place = list.indexOf(at);
      const next = place < 0 ? (step > 0 ? 0 : list.length - 1) : place + step;
      if (next < 0 || next >= list.length) return;
      arcline.choose(list[next], at);
      at = list[next];
    };
    arcline.keys.push(["j", "next row", () => go(1)]);
    arcline.keys.push(["k", "row before", () => go(-1)]);
    return {
      get row() { return at; },
      set row(row) { arcline.choose(row, at); at = row; },
    };
  },
};

(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  const toggle = arcline.make("button", { type: "button", id: "theme" });
  const show = () => {
    toggle.textContent = isDark() ? "Light" : "Dark";
    toggle.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  };
  const change = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("arcline-theme", root.dataset.theme);
    } catch {
      // As in theme.js.
    }
    show();
  };
  toggle.addEventListener("click", change);
  dark.addEventListener("change", show);
  show();

  const search = () => {
    const input = document.querySelector(".filter input, .flamebar input") ||
      document.querySelector("#find");
    input.scrollIntoView({ block: "nearest" });
    input.focus();
    input.select();
  };
  const help = () => {
    const list = arcline.make("dl");
    const names = { ArrowRight: "→", ArrowLeft: "←" };
    for (const [key, what] of arcline.keys)
      list.append(arcline.make("dt", {}, arcline.make("kbd", {}, names[key] || key)),
        arcline.make("dd", {}, what));
    const close = arcline.make("button", { type: "button", autofocus: true }, "Close");
    const dialog = arcline.make("dialog", { id: "help", "aria-labelledby": "help-title" },
      arcline.make("h2", { id: "help-title" }, "Keys"), list, close);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  const helper = arcline.make("button",
    { type: "button", id: "keys", "aria-label": "Keys" }, "?");
  helper.addEventListener("click", help);
  document.querySelector(".tools").append(toggle, helper);

  const find = () => {
    document.querySelector("#find").focus();
    document.querySelector("#find").select();
  };
  arcline.keys.push(["/", "search this page", search]);
  arcline.keys.push(["f", "find in the whole report", find]);
  arcline.keys.push(["t", "light or dark", change]);
  arcline.keys.push(["?", "these keys", help]);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const key = arcline.keys.find(([name]) => name === event.key);
    if (!key || !key[2]) return;
    event.preventDefault();
    key[2]();
  });
})();
