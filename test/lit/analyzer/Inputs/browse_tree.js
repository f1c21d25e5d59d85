// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Use the tree of files of html-tree.test by keys, and the field that finds files and functions.
//
//     node browse_tree.js NODE-MODULES REPORT REPORT-WITH-CHANGES
"use strict";
const path = require("path");
const assert = require("assert");
const { browse, judge } = require("./browser.js");
const [modules, report, changes] = process.argv.slice(2).map((name) => path.resolve(name));
const address = (name) => `file://${path.join(report, name)}`;

// Names of rows that are shown within the program's folder.
const shown = (page) => page.evaluate(() => {
  const names = [];
  let isSystem = false;
  for (const row of document.querySelector("table.tree").tBodies[0].rows)
    if (row.classList.contains("d0")) isSystem = row.cells[0].textContent === "System headers";
    else if (!row.hidden && !isSystem) names.push(row.cells[0].textContent);
  return names;
});
const press = async (page, keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
const at = (page) => page.locator("tr.at th").textContent();

async function useTree(page) {
  await page.goto(address("index.html"));
  await page.locator("#filter").waitFor();
  const all = ["app/", "main.cpp", "lib/deep/", "inner/", "one.c", "other/", "two.c"];
  await press(page, ["e"]);
  assert.deepStrictEqual(await shown(page), all);
  assert.match(page.url(), /#open=\*$|index\.html$/);
  await press(page, ["c"]);
  assert.deepStrictEqual(await shown(page), []);
  // From folder to folder: into one, and out again.
  await press(page, ["j", "ArrowRight", "ArrowRight", "j", "ArrowRight"]);
  assert.strictEqual(await at(page), "lib/deep/");
  assert.deepStrictEqual(await shown(page), ["app/", "lib/deep/", "inner/", "other/"]);
  await press(page, ["ArrowRight", "ArrowRight", "j"]);
  assert.strictEqual(await at(page), "one.c");
  await press(page, ["ArrowLeft", "ArrowLeft"]);
  assert.strictEqual(await at(page), "inner/");
  assert.deepStrictEqual(await shown(page), ["app/", "lib/deep/", "inner/", "other/"]);
  // The button of a folder has the focus, so that Enter and Space are clicks.
  await press(page, ["Enter"]);
  assert.deepStrictEqual(await shown(page), ["app/", "lib/deep/", "inner/", "one.c", "other/"]);
  assert.strictEqual(await page.locator("tr.at button").getAttribute("aria-expanded"), "true");

  // The address has the state, and leads back to it.
  const url = page.url();
  assert.match(url, /#open=[^&]+&open=[^&]+&open=[^&]+$/);
  await page.goto("about:blank");
  await page.goto(url);
  await page.locator("#filter").waitFor();
  assert.deepStrictEqual(await shown(page), ["app/", "lib/deep/", "inner/", "one.c", "other/"]);

  // Columns: by name first, then by numbers; in the other order. Folders keep their content.
  await press(page, ["e", "s"]);
  assert.strictEqual(await page.locator("th[aria-sort]").textContent(), "File");
  await press(page, ["r"]);
  assert.deepStrictEqual(await shown(page),
    ["lib/deep/", "other/", "two.c", "inner/", "one.c", "app/", "main.cpp"]);
  await page.getByRole("button", { name: "Lines %" }).click();
  assert.deepStrictEqual(await shown(page),
    ["app/", "main.cpp", "lib/deep/", "inner/", "one.c", "other/", "two.c"]);
  await press(page, ["r"]);
  assert.deepStrictEqual(await shown(page),
    ["lib/deep/", "other/", "two.c", "inner/", "one.c", "app/", "main.cpp"]);
  assert.match(page.url(), /sort=\d+$/);

  // Words of a path find files, with the folders around them.
  await press(page, ["c", "/"]);
  await page.keyboard.type("DEEP two");
  assert.deepStrictEqual(await shown(page), ["lib/deep/", "other/", "two.c"]);
  assert.match(await page.locator(".paths output").textContent(), /^1 of \d+ files$/);
  await press(page, ["Escape", "j", "j", "j", "j", "Enter"]);
  await page.waitForURL(/src\/two\.c-[0-9a-f]+\.html$/);
  await page.goBack();
  await page.locator("#filter").waitFor();
  assert.deepStrictEqual(await shown(page), ["lib/deep/", "other/", "two.c"]);
}

async function useFinder(page) {
  await page.goto(address("functions.html"));
  await page.locator("#filter").waitFor();
  await page.locator("#find").fill("two");
  await page.locator("#found li").first().waitFor();
  assert.deepStrictEqual(await page.locator("#found li").allTextContents(),
    ["lib/deep/other/two.c", "two"]);
  await judgeOpen(page);
  await press(page, ["ArrowDown", "ArrowDown"]);
  assert.strictEqual(await page.locator("[aria-selected]").textContent(), "two");
  await press(page, ["Enter"]);
  await page.waitForURL(/src\/two\.c-[0-9a-f]+\.html#L1$/);
  await page.locator("tr:target").waitFor();
  // From a page of source, where nothing of the index is loaded yet.
  await press(page, ["f"]);
  await page.keyboard.type("one.c");
  await page.locator("#found li").first().waitFor();
  await press(page, ["Escape"]);
  assert(await page.locator("#found").isHidden());
  await page.keyboard.type(" ");
  await page.locator("#found li", { hasText: "one.c" }).click();
  await page.waitForURL(/src\/one\.c-[0-9a-f]+\.html$/);
}

// Lines and files that changed: marks, keys from one to the next, and a filter of the tree.
async function useChanges(page) {
  await page.goto(`file://${changes}/index.html`);
  await page.locator("#filter").waitFor();
  await page.getByLabel("Changed files only").check();
  assert.deepStrictEqual(await shown(page), ["lib/deep/", "other/", "two.c"]);
  assert.match(page.url(), /#changed=1$/);
  await page.reload();
  await page.locator("#filter").waitFor();
  assert.deepStrictEqual(await shown(page), ["lib/deep/", "other/", "two.c"]);
  await page.locator("table.tree a:visible").click();
  await page.locator("tr.changed").first().waitFor();
  const ids = (name) => page.locator(name).evaluateAll((rows) => rows.map((row) => row.id));
  assert.deepStrictEqual(await ids("tr.changed"), ["L3", "L4", "L7"]);
  assert.deepStrictEqual(await ids("tr.uncovered"), ["L3", "L7"]);
  for (const [key, line] of [["d", "L3"], ["d", "L4"], ["u", "L7"], ["U", "L3"], ["d", "L4"],
    ["D", "L3"]]) {
    await press(page, [key]);
    assert.strictEqual(await page.locator("tr.at").getAttribute("id"), line, key);
  }
  await judge(page, [page.url(), `file://${changes}/index.html`]);
}

// The list of the field, which judge() does not open.
async function judgeOpen(page) {
  assert.strictEqual(await page.locator("#find").getAttribute("aria-expanded"), "true");
  assert.strictEqual(await page.locator("#found").getAttribute("role"), "listbox");
}

browse(modules, [useTree, useFinder, useChanges, (page) => judge(page, [address("index.html#open=*")])]);
