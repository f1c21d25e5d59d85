/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// The field at the top of each page: files and functions by words of their names, out of
// data/functions.js, which is loaded when the field is used first.
"use strict";
(() => {
  const form = document.querySelector(".find[data-root]");
  if (!form) return;
  const { root } = form.dataset;
  const input = form.querySelector("input");
  const maxFiles = 6;
  const maxFunctions = 12;
  const list = arcline.make("ul", { id: "found", role: "listbox", hidden: true,
    "aria-label": "Files and functions" });
  form.append(list);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-expanded": false,
    "aria-controls": "found", "aria-autocomplete": "list" })) input.setAttribute(name, value);

  let index; // {text, folded, href} of files and functions
  const load = () => {
    index ||= new Promise((done) => {
      if (arcline.data.functions) { done(); return; }
      const script = arcline.make("script", { src: `${root}data/functions.js` });
      script.addEventListener("load", done);
      document.head.append(script);
    }).then(() => window.DecompressionStream && arcline.data.functions
      ? arcline.unpack(arcline.data.functions) : null)
      .then((data) => data && [
        data.files.map((text, i) => ({ text, href: data.pages[i] && `src/${data.pages[i]}.html` }))
          .filter(({ href }) => href),
        data.name.map((name, i) => ({ text: data.names[name], brief: data.briefs[name],
          href: arcline.address(data, i) })).filter(({ href }) => href)]);
    return index;
  };

  let options = [];
  let at = -1;
  const choose = (i) => {
    if (options[at]) options[at].removeAttribute("aria-selected");
    at = i;
    if (options[at]) {
      options[at].setAttribute("aria-selected", "true");
      options[at].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", options[at].id);
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    choose(-1);
  };
  // Names that begin with the first word, after the last slash or colon, come first.
  const search = (items, words, max) => {
    const found = [];
    for (const item of items) {
      item.folded ??= item.text.toLowerCase();
      if (!words.every((word) => item.folded.includes(word))) continue;
      const isBegin = item.folded.startsWith(words[0]) || item.folded.includes(`/${words[0]}`) ||
        item.folded.includes(`::${words[0]}`);
      found.push([!isBegin, item.text.length, item]);
    }
    return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, max).map(([, , item]) => item);
  };
  const show = async () => {
    const text = input.value;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const data = words.length ? await load() : null;
    if (text !== input.value) return; // there is a later one
    if (!data) { close(); return; }
    const [files, functions] = data;
    const found = [...search(files, words, maxFiles), ...search(functions, words, maxFunctions)];
    options = found.map((item, i) => {
      const option = arcline.make("li", { id: `found-${i}`, role: "option",
        title: item.brief ? item.text : undefined }, item.brief || item.text);
      option.addEventListener("mousedown", (event) => event.preventDefault());
      option.addEventListener("click", () => go(item));
      option.item = item;
      return option;
    });
    list.replaceChildren(...options);
    at = -1;
    if (!options.length) { close(); return; }
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };
  const go = (item) => {
    close();
    location.href = root + item.href;
  };
  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options.length && !list.hidden) {
      event.preventDefault();
      choose((at + step + options.length + (at < 0 && step < 0 ? 1 : 0)) % options.length);
    } else if (event.key === "Enter" && options[at]) {
      event.preventDefault();
      go(options[at].item);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault(); // the words stay
      event.stopPropagation();
      close();
    }
  });
})();
