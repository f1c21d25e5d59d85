// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Use the site of the documentation in headless Chromium, from files, and have axe-core judge it.
//
//     node browse_site.js NODE-MODULES SITE
"use strict";
const path = require("path");
const assert = require("assert");
const { browse, judge } = require("../../analyzer/Inputs/browser.js");
const [modules, site] = process.argv.slice(2).map((name) => path.resolve(name));
const address = (name) => `file://${path.join(site, name)}`;

async function search(page) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(address("index.html"));
  await page.locator("search").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("fail-under");
  await page.locator("output a").first().waitFor();
  assert.match(await page.locator("output a").first().textContent(), /^--fail-under=.*arcline-diff\(1\)/);
  assert.match(await page.locator("output mark").first().textContent(), /fail/i);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/arcline-diff\.1\.html#--fail-under$/);
  assert(await page.locator("a.term:target").isVisible());

  await page.keyboard.press("/");
  await page.keyboard.type("qqqqqq");
  await page.getByText("No section has these words.").waitFor();
  await page.keyboard.press("Escape");
  assert(!await page.locator("search output").isVisible());
}

async function useMenus(page) {
  const pages = page.getByRole("navigation", { name: "Pages" });
  await page.setViewportSize({ width: 1400, height: 800 });
  await page.goto(address("history-lines.html"));
  await page.locator("search").waitFor();
  assert(await page.locator("[aria-current]").isVisible());
  const { y } = await page.locator("[aria-current]").boundingBox();
  assert(y < 800, `the present page is at ${y} in the list`);
  // On narrow screens a button opens the list.
  await page.setViewportSize({ width: 400, height: 800 });
  assert(!await pages.isVisible());
  await page.getByRole("button", { name: "Pages" }).click();
  await pages.getByRole("link", { name: "Tutorial" }).click();
  await page.waitForURL(/tutorial\.html$/);
}

browse(modules, [
  search,
  useMenus,
  (page) => judge(page, ["index.html", "arcline-diff.1.html", "reliability.html"].map(address), "search"),
]);
