/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// The flame graph out of data/stacks.js: callers above, width is time. Frames
// are buttons: what is chosen fills the width.
"use strict";
arcline.use(arcline.data.stacks, document.querySelector(".flame"), (data) => {
  const place = document.querySelector(".flame");
  if (data.name.length === 0) return;
  const height = 21;
  const minShare = 0.0012; // of the width; narrower frames are not drawn
  const n = data.name.length + 1; // frame 0 is the root
  const callees = Array.from({ length: n }, () => []);
  for (let i = 1; i < n; i++) callees[data.caller[i - 1]].push(i);
  const caller = (i) => data.caller[i - 1];
  const name = (i) => i ? data.names[data.name[i - 1]] : "all";
  const isWait = new Uint8Array(n);
  for (const i of data.waits) isWait[i] = 1;
  let own = []; // time by frame, of what is chosen
  let total = []; // with all below
  let hottest = 0;
  const self = (i) => own[i];
  const percent = (value) => `${arcline.percent(value, total[0])} %`;
  const time = (value) => data.rate
    ? `${(value / 1000 / data.rate).toFixed(2)} s` : `${Math.round(value / 1000)} samples`;
  const heat = (i) => arcline.heat(self(i), hottest);

  const input = arcline.make("input", { type: "search", autocomplete: "off",
    spellcheck: false, placeholder: "Search frames", "aria-label": "Search frames" });
  const reset = arcline.make("button", { type: "button", id: "reset" }, "Whole program");
  const status = arcline.make("output");
  const stage = arcline.make("div", { className: "stage", role: "group",
    "aria-label": "Flame graph; arrow keys move, Enter zooms in, Escape zooms out" });
  const told = arcline.make("p", { className: "told" });
  told.setAttribute("aria-live", "polite");
  // Waits are a choice if there are any, the timeline if there are samples by thread.
  const kinds = ["All time", "Running", "Waiting"];
  const kind = arcline.make("select", { "aria-label": "Time", hidden: data.waits.length === 0 },
    ...kinds.map((text) => arcline.make("option", {}, text)));
  const timeline = data.moments ? arcline.timeline(data, () => update()) : null;
  if (timeline) place.append(timeline.element);
  place.append(arcline.make("div", { className: "flamebar" }, kind, input, reset, status),
    stage, told);

  let zoom = 0; // the frame that fills the width
  let present = 0; // the frame that keys move from
  let wanted = "";
  let drawn = new Map();

  const isFound = (i) => wanted !== "" && i > 0 && name(i).toLowerCase().includes(wanted);
  // Callers come before their callees.
  const sum = () => {
    own = (timeline && timeline.self(n)) || Float64Array.from([0, ...data.self]);
    if (kind.selectedIndex)
      own.forEach((_, i) => { if (isWait[i] !== kind.selectedIndex - 1) own[i] = 0; });
    total = data.total || Float64Array.from(own);
    for (let i = n; !data.total && i-- > 1;) total[caller(i)] += total[i];
    hottest = own.reduce((most, value) => Math.max(most, value), 0);
    for (const list of callees) list.sort((a, b) => total[b] - total[a] || a - b);
  };
  const tell = (i) => {
    told.replaceChildren(arcline.make("b", {}, name(i)), " ",
      `total ${time(total[i])} (${percent(total[i])})`,
      `, self ${time(self(i))} (${percent(self(i))})`);
    const link = i ? data.links[data.name[i - 1]] : "";
    if (link) told.append(", ", arcline.make("a", { href: link }, "source"));
  };
  const add = (i, depth, left, width, isAbove) => {
    // A letter of a name says nothing: what is narrow is told by its title.
    const text = width < 0.018 ? "" : name(i);
    const button = arcline.make("button",
      { type: "button", tabIndex: -1, "aria-label": name(i) }, text);
    button.dataset.frame = i;
    button.title = `${name(i)}: ${time(total[i])}, ${percent(total[i])}`;
    if (isAbove) button.className = "above";
    else if (heat(i)) button.className = `h${heat(i)}`;
    if (isFound(i)) button.classList.add("found");
    button.style.top = `${depth * height}px`;
    button.style.left = `${100 * left}%`;
    button.style.width = `${100 * width}%`;
    if (!text) button.style.padding = "0";
    stage.append(button);
    drawn.set(i, button);
  };
  // Level by level, without recursion: stacks may be deep.
  const draw = () => {
    stage.replaceChildren();
    drawn = new Map();
    const path = [];
    for (let i = zoom; i; i = caller(i)) path.unshift(i);
    path.unshift(0);
    path.forEach((i, depth) => add(i, depth, 0, 1, i !== zoom));
    let level = [[zoom, 0, 1]];
    let depth = path.length - 1;
    while (level.length) {
      const next = [];
      for (const [i, left, width] of level) {
        let at = left;
        for (const callee of callees[i]) {
          const part = total[i] ? width * total[callee] / total[i] : 0;
          if (part < minShare) break;
          add(callee, depth + 1, at, part, false);
          next.push([callee, at, part]);
          at += part;
        }
      }
      level = next;
      if (next.length) depth++;
    }
    stage.style.height = `${(depth + 1) * height}px`;
    reset.disabled = zoom === 0;
    choose(drawn.has(present) ? present : zoom, false);
  };
  const choose = (i, isFocused) => {
    const old = drawn.get(present);
    if (old) old.tabIndex = -1;
    present = i;
    const button = drawn.get(i);
    button.tabIndex = 0;
    if (isFocused) button.focus();
    tell(i);
  };
  const zoomTo = (i, isFocused) => {
    zoom = i;
    present = i;
    draw();
    if (isFocused) choose(i, true);
  };
  const search = () => {
    wanted = input.value.trim().toLowerCase();
    // Time of frames that are found, each sample once: not below another one.
    let sum = 0;
    let count = 0;
    const within = new Uint8Array(n);
    for (let i = 1; i < n; i++) {
      const isHere = isFound(i);
      if (isHere) count++;
      if (isHere && !within[caller(i)]) sum += total[i];
      within[i] = isHere || within[caller(i)] ? 1 : 0;
    }
    status.textContent = wanted
      ? `${count} frame${count === 1 ? "" : "s"}, ${percent(sum)} of the time` : "";
    draw();
  };
  // To the next drawn frame in a direction.
  const move = (key) => {
    const siblings = present ? callees[caller(present)].filter((i) => drawn.has(i)) : [0];
    const at = siblings.indexOf(present);
    const next = {
      ArrowUp: present ? caller(present) : 0,
      ArrowDown: callees[present].find((i) => drawn.has(i)),
      ArrowLeft: siblings[at - 1],
      ArrowRight: siblings[at + 1],
    }[key];
    if (next !== undefined && drawn.has(next)) choose(next, true);
  };

  stage.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) zoomTo(Number(button.dataset.frame), true);
  });
  stage.addEventListener("mouseover", (event) => {
    const button = event.target.closest("button");
    if (button) tell(Number(button.dataset.frame));
  });
  stage.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      move(event.key);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      zoomTo(zoom ? caller(zoom) : 0, true);
    }
  });
  reset.addEventListener("click", () => zoomTo(0, false));
  input.addEventListener("input", search);
  kind.addEventListener("change", () => update());
  arcline.keys.push(["←→↑↓", "from frame to frame", null]);
  arcline.keys.push(["Enter", "zoom in", null]);
  arcline.keys.push(["Escape", "zoom out", () => zoomTo(zoom ? caller(zoom) : 0, false)]);
  const update = () => {
    sum();
    search();
  };
  if (timeline) timeline.begin();
  else update();
});
