// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Use a report as people do, in headless Chromium, and have axe-core judge its pages.
//
//     node browse.js NODE-MODULES REPORT
"use strict";
const fs = require("fs");
const path = require("path");
const assert = require("assert");
const { browse, judge } = require("./browser.js");
const [modules, report] = process.argv.slice(2).map((name) => path.resolve(name));

const address = (name) => `file://${path.join(report, name)}`;
const rows = (page, table) => page.locator(`table.${table} tbody tr`);
const cells = (page, column) =>
  page.locator(`table.functions tbody td:nth-child(${column})`).allTextContents();
const source = fs.readdirSync(path.join(report, "src"))
  .find((name) => /^browsed\.c-[0-9a-f]+\.html$/.test(name));

async function useFunctions(page) {
  await page.goto(address("functions.html"));
  await page.locator("th button.sort").first().waitFor();
  const names = await cells(page, 1);
  assert(names.includes("main") && names.length > 3, names);

  // Sorting: by name up and down, by calls.
  await page.getByRole("button", { name: "Function", exact: true }).click();
  assert.deepStrictEqual(await cells(page, 1), [...names].sort((a, b) => a.localeCompare(b)));
  await page.getByRole("button", { name: "Function", exact: true }).click();
  assert.strictEqual(await page.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");
  await page.getByRole("button", { name: "Calls" }).click();
  const calls = (await cells(page, 6)).map((text) => Number(text.replaceAll(",", "")));
  assert.deepStrictEqual(calls, [...calls].sort((a, b) => b - a));

  // By keys: the next column, and the other order.
  await page.keyboard.press("s");
  assert.strictEqual(await page.locator("th[aria-sort]").textContent(), "Inlined");
  await page.keyboard.press("s");
  await page.keyboard.press("s");
  assert.deepStrictEqual(await cells(page, 1), [...names].sort((a, b) => a.localeCompare(b)));
  await page.keyboard.press("r");
  assert.strictEqual(await page.locator("th[aria-sort]").getAttribute("aria-sort"), "descending");

  // Searching: / goes to the field; all words must be there.
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("/");
  await page.keyboard.type("MAI browsed");
  await page.waitForFunction(() =>
    document.querySelectorAll("table.functions tbody tr").length === 1);
  assert.deepStrictEqual(await cells(page, 1), ["main"]);
  assert.match(await page.locator(".filter output").textContent(), /^1 of \d+ functions$/);
  await page.locator("table.functions td a").click();
  await page.waitForURL(/src\/browsed\.c-[0-9a-f]+\.html#L\d+$/);
  assert(await page.locator("tr:target").isVisible());
}

async function useSource(page) {
  await page.goto(address(`src/${source}`));
  await page.locator("table.source.ready").waitFor();
  const at = () => page.locator("tr.at").getAttribute("id");
  const never = await page.locator("tr.never").first().getAttribute("id");
  await page.keyboard.press("j");
  assert.strictEqual(await at(), "L1");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  assert.strictEqual(await at(), "L2");
  // n goes from mark to mark, p back.
  const seen = [];
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press("n");
    const here = await at();
    if (seen.includes(here)) break;
    seen.push(here);
  }
  assert(seen.includes(never), `${seen} without ${never}`);
  if (seen.length > 1) {
    await page.keyboard.press("p");
    assert.strictEqual(await at(), seen[seen.length - 2]);
  }
  // A page that is loaded again is where it was.
  await page.setViewportSize({ width: 1280, height: 100 });
  await page.evaluate(() => scrollTo(0, 150));
  await page.waitForFunction(() => history.state && history.state.top === 150);
  await page.reload();
  await page.locator("table.source.ready").waitFor();
  assert.strictEqual(await page.evaluate(() => scrollY), 150);
  await page.setViewportSize({ width: 1280, height: 800 });
  // From a call to its callee, and back by the list of callers.
  await page.locator("tr .k a:visible", { hasText: "work" }).first().click();
  const target = page.locator("tr:target");
  await target.waitFor();
  const callee = await target.getAttribute("id");
  const head = page.locator("tr.f", { hasText: "called from" })
    .filter({ has: page.locator("b", { hasText: "work" }) });
  await head.locator("summary").click();
  await head.locator("li a").first().click();
  await page.waitForFunction((id) => location.hash !== `#${id}`, callee);
  // The search of all pages leads to functions.
  await page.locator("#find").fill("main");
  await page.keyboard.press("Enter");
  await page.waitForURL(/functions\.html\?q=main$/);
  await page.locator(".filter output").waitFor();
  const found = await cells(page, 1); // those of the C library, too
  assert(found.includes("main") && found.every((name) => name.includes("main")), found);
}

async function useFlame(page) {
  await page.goto(address("flame.html"));
  const frame = (name) => page.locator(".stage button", { hasText: new RegExp(`^${name}$`) });
  await frame("main").first().waitFor();
  const width = async (name) => (await frame(name).first().boundingBox()).width;
  const all = await width("all");
  const before = await page.locator(".stage button").count();
  // A click fills the width; what is beside it goes.
  assert(await width("work") < all - 2);
  await frame("work").first().click();
  assert(Math.abs(await width("work") - all) < 2);
  assert(await page.locator(".stage button").count() <= before);
  assert.match(await page.locator(".told").textContent(), /total .* s \(\d+\.\d %\), self/);
  // Escape goes out, level by level; the button at once.
  await page.keyboard.press("Escape");
  await page.locator("#reset").click();
  assert.strictEqual(await page.locator(".stage button").count(), before);
  assert(await page.locator("#reset").isDisabled());
  // Keys go from frame to frame; Enter is a click.
  await frame("all").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  assert.strictEqual(await page.evaluate(() => document.activeElement.textContent), "all");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert(await page.locator("#reset").isEnabled());
  await page.locator("#reset").click();
  await page.locator(".flamebar input").fill("main");
  await page.locator(".stage button.found").first().waitFor();
  assert.match(await page.locator(".flamebar output").textContent(), /^\d+ frames?, \d+\.\d %/);
}

async function useOverview(page) {
  await page.goto(address("index.html"));
  await page.locator("table.files th button.sort").first().waitFor();
  await page.getByRole("button", { name: "File", exact: true }).click();
  const names = () => page.locator("table.files th[scope=row] a").allTextContents();
  const up = await names();
  assert.deepStrictEqual(up, [...up].sort((a, b) => a.localeCompare(b)));
  assert.match(await rows(page, "files").last().textContent(), /^Total/);
  assert.strictEqual(await page.locator(".paths output").textContent(), "1 file");
  // Help: opened by a key, closed by another.
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  // The choice of colours is kept.
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.keyboard.press("t");
  const dark = await paper();
  assert.notStrictEqual(light, dark);
  await page.reload();
  await page.locator("#theme").waitFor();
  assert.strictEqual(await paper(), dark);
  await page.locator("#theme").click();
  assert.strictEqual(await paper(), light);
}

const pages = ["index.html", "functions.html", "flame.html", `src/${source}`].map(address);
browse(modules, [useOverview, useFunctions, useSource, useFlame,
  (page) => judge(page, pages)]);
