// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Use a comparison as people do, in headless Chromium, and have axe-core judge its pages.
//
//     node browse_diff.js NODE-MODULES REPORT
"use strict";
const fs = require("fs");
const path = require("path");
const assert = require("assert");
const { browse, judge } = require("./browser.js");
const [modules, report] = process.argv.slice(2).map((name) => path.resolve(name));

const address = (name) => `file://${path.join(report, name)}`;
const cells = (page, column) =>
  page.locator(`table.functions tbody tr:visible td:nth-child(${column})`).allTextContents();
const source = fs.readdirSync(path.join(report, "src"))
  .find((name) => /^prog\.c-[0-9a-f]+\.html$/.test(name));

async function useOverview(page) {
  await page.goto(address("index.html"));
  await page.locator("#theme").waitFor();
  assert.deepStrictEqual(await page.locator(".gates tbody td:nth-child(2)").allTextContents(),
    ["failed", "passed"]);
  // From what failed to its lines.
  await page.locator(".gates li a", { hasText: "parse" }).click();
  await page.waitForURL(/src\/prog\.c-[0-9a-f]+\.html#L\d+$/);
  assert(await page.locator("tr:target.more").isVisible());
}

async function useFunctions(page) {
  await page.goto(address("functions.html"));
  await page.locator("th button.sort").first().waitFor();
  const names = await cells(page, 1);
  assert(names.includes("parse") && names.includes("cheap") && names.length >= 4, names);
  assert(!names.includes("main"), names); // is called as often

  // Sorting: by name up and down, by change, of which one is new and one is gone.
  await page.getByRole("button", { name: "Function", exact: true }).click();
  assert.deepStrictEqual(await cells(page, 1), [...names].sort((a, b) => a.localeCompare(b)));
  await page.getByRole("button", { name: "%", exact: true }).click();
  const percents = await cells(page, 5);
  assert.strictEqual(percents[0], "new");
  assert.strictEqual(percents.at(-1), "gone");
  const numbers = percents.slice(1, -1).map(parseFloat);
  assert.deepStrictEqual(numbers, [...numbers].sort((a, b) => b - a));

  // Searching: all words must be in the row.
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await page.keyboard.type("PAR prog.c");
  await page.waitForFunction(() => document.querySelectorAll(
    "table.functions tbody tr:not([hidden])").length === 1);
  assert.deepStrictEqual(await cells(page, 1), ["parse"]);
  assert.match(await page.locator(".filter output").textContent(), /^1 of \d+ rows$/);
  // The search of all pages leads there.
  await page.locator("#find").fill("cheap");
  await page.keyboard.press("Enter");
  await page.waitForURL(/functions\.html\?q=cheap$/);
  await page.locator(".filter output").waitFor();
  assert.deepStrictEqual(await cells(page, 1), ["cheap"]);
}

async function useLines(page) {
  await page.goto(address("calls.html"));
  await page.locator("th button.sort").first().waitFor();
  const [from, to] = [await cells(page, 1), await cells(page, 2)];
  assert(from.some((name, i) => name === "main" && to[i] === "parse"), [from, to]);
  await page.goto(address("lines.html"));
  await page.locator("table.functions td a", { hasText: /^prog\.c:/ }).first().click();
  await page.waitForURL(/#L\d+$/);
  assert(await page.locator("tr:target.more").isVisible());
}

async function useSource(page) {
  await page.goto(address(`src/${source}`));
  await page.locator("#theme").waitFor();
  // What does not differ is folded, and opened by the keyboard.
  const folded = page.locator("tbody.fold").first();
  assert(!await folded.locator("tr[id]").first().isVisible());
  await folded.locator("input").focus();
  await page.keyboard.press("Space");
  assert(await folded.locator("tr[id]").first().isVisible());
  await page.keyboard.press("Space");
  assert(!await folded.locator("tr[id]").first().isVisible());
  await page.evaluate(() => document.activeElement.blur());
  // n goes from difference to difference, p back.
  const at = () => page.locator("tr.at").getAttribute("class");
  const seen = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("n");
    seen.push((await at()).replace(" at", ""));
  }
  for (const kind of ["more", "added", "removed"])
    assert(seen.includes(kind), `${seen} without ${kind}`);
  await page.keyboard.press("p");
  assert.match(await at(), /more|less|added|removed/);
  // j and k leave out what is folded.
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press("k");
    assert(await page.locator("tr.at").isVisible());
  }
}

const pages = ["index.html", "functions.html", "calls.html", "lines.html", "times.html",
  `src/${source}`].map(address);
browse(modules, [useOverview, useFunctions, useLines, useSource,
  (page) => judge(page, pages)]);
