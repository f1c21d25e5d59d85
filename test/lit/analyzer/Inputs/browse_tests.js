// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Use the tests of a report, html-tests-in-a-browser.c; FOLDER has what `arcline tests` prints of
// each function.
//
//     node browse_tests.js NODE-MODULES REPORT FOLDER
"use strict";
const fs = require("fs");
const path = require("path");
const assert = require("assert");
const { browse, judge } = require("./browser.js");
const [modules, report, folder] = process.argv.slice(2).map((name) => path.resolve(name));

const address = (name) => `file://${path.join(report, name)}`;
const source = `src/${fs.readdirSync(path.join(report, "src"))
  .find((name) => name.startsWith("html-tests-in-a-browser.c-"))}`;
const testsOf = (name) => fs.readFileSync(path.join(folder, `${name}.tests`), "utf8")
  .split("\n").filter(Boolean);
const functions = async (page) =>
  (await page.locator("table.functions tbody td:first-child").allTextContents()).sort();

// Functions have the tests that the command prints; of many, the first ones.
async function useSource(page) {
  await page.goto(address(source));
  await page.locator("table.source.ready").waitFor();
  for (const name of ["main", "common", "rare", "never"]) {
    const head = page.locator("tr.f").filter({ has: page.locator("b", { hasText: name }) });
    const tests = testsOf(name);
    const summary = head.locator("summary", { hasText: /^ran in / });
    if (!tests.length) {
      assert.strictEqual(await summary.count(), 0, name);
      continue;
    }
    assert.strictEqual(await summary.textContent(),
      `ran in ${tests.length} test${tests.length === 1 ? "" : "s"}`);
    await summary.focus();
    await page.keyboard.press("Enter");
    const items = head.locator("details[open] li").filter({ hasNotText: /from/ });
    await items.first().waitFor(); // lists are made when they open
    const more = tests.length > 100 ? [`and ${tests.length - 100} more`] : [];
    assert.deepStrictEqual(await items.allTextContents(), [...tests.slice(0, 100), ...more], name);
  }
  assert.strictEqual(testsOf("common").length, 121);
  assert.strictEqual(testsOf("rare").length, 1);
  assert.strictEqual(testsOf("never").length, 0);
  // Lines: of a function that ran, those that no test ran have none.
  const line = (text) => page.locator("table.source tr[id]").filter({ hasText: text }).last();
  assert.match(await line("return n * 3").textContent(), /ran in 1 test$/);
  assert.doesNotMatch(await line("return n * 5").textContent(), /ran in/);
  // A call that is the only one of its line stays in view.
  assert.match(await line("int sum = common").textContent(), /122 × common.*ran in 121 tests$/);
}

// From a test to the functions that it ran, and back to all.
async function useTests(page) {
  await page.goto(address("index.html"));
  await page.getByRole("navigation", { name: "Report" }).getByRole("link", { name: "Tests" }).click();
  await page.locator("#filter").waitFor();
  assert.strictEqual(await page.locator("tbody tr:visible").count(), 121);
  await page.keyboard.press("/");
  await page.keyboard.type("<b>");
  const row = page.locator("tbody tr:visible");
  await page.waitForFunction(() => document.querySelector(".filter output").textContent === "1 of 121 rows");
  assert.strictEqual(await row.textContent(), "<b>&3% x3");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  // The page before has a note, too, and this one is empty at first.
  await page.locator("p.note:visible", { hasText: "Functions that" }).waitFor();
  assert.match(await page.locator("p.note").textContent(), /^Functions that the test <b>&3% x ran\./);
  await page.waitForFunction(() => /^3 of/.test(document.querySelector(".filter output").textContent));
  assert.deepStrictEqual(await functions(page), ["common", "main", "rare"]);
  // Words search within them.
  await page.locator("#filter").fill("mai");
  assert.deepStrictEqual(await functions(page), ["main"]);
  await page.locator("#filter").fill("");
  await page.getByRole("link", { name: "All functions" }).click();
  await page.waitForFunction(() => /^\d+ functions/.test(document.querySelector(".filter output").textContent));
  assert((await functions(page)).includes("never"));
  assert(await page.locator("p.note").isHidden());
  // An address of another test, and one of none.
  await page.goto(address("functions.html#test=all/007"));
  await page.waitForFunction(() => /^2 of/.test(document.querySelector(".filter output").textContent));
  assert.deepStrictEqual(await functions(page), ["common", "main"]);
  await page.goto(address("functions.html#test=100%"));
  await page.waitForFunction(() => /^0 of/.test(document.querySelector(".filter output").textContent));
}

const pages = ["tests.html", "functions.html#test=all/007", source].map(address);
browse(modules, [useSource, useTests, (page) => judge(page, pages)]);
