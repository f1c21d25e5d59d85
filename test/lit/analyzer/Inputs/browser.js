// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all tests of pages share: headless Chromium, in which each of some functions uses a
// page; a message on the console, a request to the network and a finding of axe-core fail the
// test. Messages on the console are accepted with { console: false }.
"use strict";
const fs = require("fs");
const path = require("path");
const assert = require("assert");
const limit = Number(process.env.LIMIT) || 120000; // of each step, on a machine with much else to do
let axe = "";

// Judge pages by their addresses, as soon as an element is there: light, dark and narrow.
async function judge(page, addresses, ready = "#theme") {
  for (const width of [1280, 360])
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => localStorage.clear());
      for (const address of addresses) {
        await page.goto(address);
        await page.locator(ready).waitFor();
        await page.waitForFunction(() => // data of a page of source is unpacked
          !document.querySelector("#data") || document.querySelector("table.source.ready"));
        await page.evaluate(() => {
          for (const part of document.querySelectorAll("details")) part.open = true;
        });
        const overflow = await page.evaluate(() =>
          document.documentElement.scrollWidth - innerWidth);
        assert(overflow <= 0, `${address} is ${overflow} pixels too wide at ${width}`);
        await page.evaluate(axe); // past the page's policy, as a debugger is
        const { violations } = await page.evaluate(() => window.axe.run({ preload: false }));
        assert.deepStrictEqual(violations.map((found) =>
          [found.id, found.nodes.slice(0, 3).map((node) => node.html)]), [],
          `${address}, ${width} pixels, ${colorScheme}`);
        if (process.env.SHOTS) { // a folder, for those who want to look
          const name = `${path.basename(address, ".html")}-${width}-${colorScheme}.png`;
          await page.screenshot({ path: path.join(process.env.SHOTS, name) });
        }
      }
    }
}

async function run(modules, uses, judged) {
  const { chromium } = require(path.join(modules, "playwright-core"));
  axe = fs.readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");
  const context = await chromium.launchPersistentContext(fs.mkdtempSync(path.resolve("browser-")), {
    executablePath: "/usr/bin/chromium",
    timeout: limit,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  const complaints = [];
  const page = await context.newPage();
  page.setDefaultTimeout(limit);
  if (judged.console) page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) complaints.push(request.url());
  });
  try {
    for (const use of uses) await use(page);
  } finally {
    await context.close();
  }
  assert.deepStrictEqual(complaints, []);
}

function browse(modules, uses, judged = { console: true }) {
  run(modules, uses, judged).catch((error) => {
    console.error(error);
    process.exit(1);
  });
}

module.exports = { browse, judge };
