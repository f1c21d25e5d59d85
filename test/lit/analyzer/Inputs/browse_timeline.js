// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Use the timeline of a report of phases.c, in headless Chromium.
//
//     node browse_timeline.js NODE-MODULES REPORT
"use strict";
const path = require("path");
const assert = require("assert");
const { browse, judge } = require("./browser.js");
const [modules, report] = process.argv.slice(2).map((name) => path.resolve(name));
const address = `file://${path.join(report, "flame.html")}`;

async function useTimeline(page) {
  await page.goto(address);
  const frames = async () => {
    const names = await page.locator(".stage button").evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute("aria-label")));
    return (...wanted) => wanted.map((name) => names.includes(name));
  };
  const thread = (name) => page.locator(".timeline .threads button", { hasText: name });
  await thread("parser").waitFor();
  assert.strictEqual(await page.locator(".timeline svg").count(), 3);
  assert.deepStrictEqual((await frames())("parse", "draw", "rest"), [true, true, true]);

  // A thread.
  await thread("drawer").click();
  assert.strictEqual(await thread("drawer").getAttribute("aria-pressed"), "true");
  assert.deepStrictEqual((await frames())("parse", "draw", "rest"), [false, true, true]);
  assert.match(await page.locator(".timeline output").textContent(),
    /^0\.00 s to \d+\.\d\d s, drawer \d+$/);
  await thread("parser").click(); // and another one
  assert.deepStrictEqual((await frames())("parse", "draw", "main"), [true, true, false]);
  await page.getByRole("button", { name: "Whole run" }).click();
  assert.deepStrictEqual((await frames())("parse", "draw", "main"), [true, true, true]);

  // A part of the run, by dragging: the first quarter, then the last one.
  const strips = await page.locator(".timeline .strips").boundingBox();
  const drag = async (from, to) => {
    await page.mouse.move(strips.x + strips.width * from, strips.y + 5);
    await page.mouse.down();
    await page.mouse.move(strips.x + strips.width * to, strips.y + 5, { steps: 4 });
    await page.mouse.up();
  };
  await drag(0.24, 0.01);
  assert.deepStrictEqual((await frames())("draw"), [false]);
  assert(await page.locator(".timeline .brush").isVisible());
  await drag(0.8, 0.99);
  assert.deepStrictEqual((await frames())("parse", "draw"), [false, true]);
  // By keys.
  await page.getByLabel("Begin of the chosen part").fill("0");
  await page.getByLabel("End of the chosen part").fill("240");
  assert.deepStrictEqual((await frames())("draw"), [false]);
  // A click ends it.
  await page.mouse.click(strips.x + 20, strips.y + 5);
  assert.deepStrictEqual((await frames())("parse", "draw"), [true, true]);
  assert(await page.getByRole("button", { name: "Whole run" }).isDisabled());

  // Time of waits and all other time.
  const share = async (name) => Number((await page.locator(`.stage button[aria-label="${name}"]`)
    .first().getAttribute("title")).match(/, ([\d.]+) %$/)[1]);
  await page.getByLabel("Time", { exact: true }).selectOption("Waiting");
  assert.deepStrictEqual((await frames())("parse", "draw", "rest"), [false, false, true]);
  await page.getByLabel("Time", { exact: true }).selectOption("Running");
  assert.deepStrictEqual((await frames())("parse", "draw"), [true, true]);
  assert(await share("parse") + await share("draw") > 50);
  await thread("drawer").click();
  assert(await share("draw") > 80);
}

browse(modules, [useTimeline, (page) => judge(page, [address], ".timeline output")]);
