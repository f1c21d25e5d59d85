// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Import profiles into speedscope, and print its tables of functions as {file: [[cell...]...]}.
//
//     node print_speedscope.js NODE-MODULES PROFILE...
//
// speedscope is a page of another project: its messages to the console are not judged.
"use strict";
const fs = require("fs");
const path = require("path");
const { browse } = require("./browser.js");
const [modules, ...profiles] = process.argv.slice(2).map((name) => path.resolve(name));
const index = path.join(modules, "speedscope/dist/release/index.html");
const tables = {};

async function importProfile(page, profile) {
  const name = path.basename(profile);
  const script = `${profile}.js`; // a page of a file can load a script, but not a file
  const data = fs.readFileSync(profile).toString("base64");
  fs.writeFileSync(script,
    `speedscope.loadFileFromBase64(${JSON.stringify(name)}, ${JSON.stringify(data)})`);
  await page.goto("about:blank"); // another fragment alone would not load the page again
  await page.setViewportSize({ width: 1280, height: 2000 }); // rows out of sight are not made
  await page.goto(
    `file://${index}#view=sandwich&localProfilePath=${encodeURIComponent(script)}`);
  await page.locator("td:visible").first().waitFor(); // a list of the file's profiles is hidden
  tables[name] = await page.locator("tr:visible").evaluateAll((rows) => rows
    .map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent.trim()))
    .filter((cells) => cells.length));
}

browse(modules, [
  ...profiles.map((profile) => (page) => importProfile(page, profile)),
  () => console.log(JSON.stringify(tables)),
], { console: false });
