// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows the present page in the list of pages, and serves the search field: sections.js has the
// text of all sections, minisearch finds the words in it.
"use strict";
(() => {
  const pages = document.getElementById("pages");
  const present = pages.querySelector("[aria-current]");
  if (present.offsetTop > pages.clientHeight * 0.8)
    pages.scrollTop = present.offsetTop - pages.clientHeight / 2;
})();

(() => {
  const N_RESULTS = 12;
  const N_BEFORE = 60; // characters of a section's text before the word that was found
  const N_TEXT = 170;
  // Pages for developers of Arcline come after those for its users.
  const DEVELOPERS = /^(changelog|contributing|decisions|design|map|history)/;
  const search = document.querySelector("search");
  const input = search.querySelector("input");
  const output = search.querySelector("output");
  if (!window.MiniSearch)
    return;
  search.hidden = false;

  // The texts are a few hundred kilobytes: they are loaded when the field is used.
  let engine;
  function load() {
    engine = engine || new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = "sections.js";
      script.onload = () => {
        const found = new window.MiniSearch({
          fields: ["heading", "page", "text"],
          storeFields: ["address", "page", "heading", "text"],
          searchOptions: {
            boost: { heading: 4, page: 2 },
            combineWith: "AND",
            prefix: (word) => word.length > 1,
            fuzzy: (word) => word.length > 4 && 0.2,
            boostDocument: (id, word, section) => DEVELOPERS.test(section.address) ? 0.3 : 1,
          },
        });
        found.addAll(window.sections.map((section, id) => ({ id, ...section })));
        resolve(found);
      };
      document.head.append(script);
    });
    return engine;
  }

  function element(name, content) {
    const made = document.createElement(name);
    made.append(...content);
    return made;
  }

  // The part of the text around the first word that was found, with all of them marked.
  function excerpt(text, words) {
    const pattern = new RegExp(
        `(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "giu");
    const at = text.search(pattern);
    const begin = at > N_BEFORE ? text.indexOf(" ", at - N_BEFORE) + 1 : 0;
    const part = text.slice(begin, begin + N_TEXT);
    const pieces = part.split(pattern).map((piece, i) =>
      i % 2 ? element("mark", [piece]) : piece);
    return element("span", [begin ? "… " : "", ...pieces, begin + N_TEXT < text.length ? " …" : ""]);
  }

  function row(result) {
    const link = element("a", [element("b", [result.heading])]);
    if (result.heading !== result.page)
      link.append(" ", element("small", [result.page]));
    link.href = result.address;
    if (result.text)
      link.append(excerpt(result.text, result.terms));
    return link;
  }

  async function show() {
    const words = input.value.trim();
    const results = words ? (await load()).search(words) : [];
    if (words !== input.value.trim())
      return;
    output.replaceChildren(...results.slice(0, N_RESULTS).map(row));
    if (!results.length)
      output.append(element("p", ["No section has these words."]));
    output.hidden = !words;
  }

  function move(step) {
    const links = [input, ...output.querySelectorAll("a")];
    const i = links.indexOf(document.activeElement);
    links[(i + step + links.length) % links.length].focus();
  }

  input.addEventListener("focus", load);
  input.addEventListener("input", show);
  search.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === input) {
      output.querySelector("a")?.click();
    } else if (event.key === "Escape") {
      input.value = "";
      output.hidden = true;
      input.focus();
    } else {
      return;
    }
    event.preventDefault();
  });
  output.addEventListener("click", () => { output.hidden = true; });
  document.addEventListener("click", (event) => {
    if (!search.contains(event.target))
      output.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== input && !event.ctrlKey && !event.metaKey) {
      input.focus();
      event.preventDefault();
    }
  });
})();
