// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read the CI files and issue forms of the tree:
//   check_ci.js MODULES ROOT commands FILE   print the commands of the job coverage, but those
//                                            that install
//   check_ci.js MODULES ROOT forms           print what GitHub's issue forms lack
"use strict";
const fs = require("fs");
const path = require("path");
const [modules, root, what, file] = process.argv.slice(2);
const yaml = require(path.resolve(modules, "js-yaml"));
const load = (name) => yaml.load(fs.readFileSync(path.join(root, name), "utf8"));

function commands(data) {
  const job = data.jobs ? data.jobs.coverage : data.coverage;
  const lines = job.script ||
      job.steps.filter((step) => step.run && !step.name.startsWith("Install"))
          .flatMap((step) => step.run.trim().split("\n"));
  return lines.join("\n");
}

function formFaults(name, form) {
  const types = ["markdown", "textarea", "input", "dropdown", "checkboxes"];
  const faults = ["name", "description", "body"].filter((key) => !form[key]);
  const ids = new Set();
  for (const item of form.body || []) {
    if (!types.includes(item.type))
      faults.push(`type ${item.type}`);
    if (item.type === "markdown" ? !item.attributes.value : !item.attributes.label || !item.id)
      faults.push(`an item of type ${item.type} without value, or label and id`);
    if (item.id && ids.has(item.id))
      faults.push(`id ${item.id} twice`);
    ids.add(item.id);
  }
  return faults.map((fault) => `${name}: ${fault}`);
}

if (what === "commands") {
  console.log(commands(load(file)));
} else {
  const folder = ".github/ISSUE_TEMPLATE";
  for (const name of fs.readdirSync(path.join(root, folder)))
    formFaults(name, load(path.join(folder, name))).forEach((fault) => console.log(fault));
}
