// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Print the rows of pages of source as headless Chromium shows them, with all lists open.
//
//     node print_rows.js NODE-MODULES PAGE...
"use strict";
const path = require("path");
const { browse } = require("./browser.js");
const [modules, ...pages] = process.argv.slice(2).map((name) => path.resolve(name));

browse(modules, pages.map((name) => async (page) => {
  await page.goto(`file://${name}`);
  await page.locator("table.source.ready").waitFor();
  const rows = await page.evaluate(async () => {
    for (let n = 0, all; n !== (all = document.querySelectorAll("details")).length;) {
      n = all.length;
      for (const part of all) part.open = true;
      await new Promise((done) => setTimeout(done, 100)); // lists are made when they open
    }
    return [...document.querySelectorAll("table.source tr")].map((row) => row.outerHTML);
  });
  console.log(rows.join("\n"));
}));
