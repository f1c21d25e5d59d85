/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// The timeline above the flame graph: samples of each thread over time. Dragging chooses a part
// of the run, a thread's button chooses the thread; change() is called after either.
"use strict";
arcline.timeline = (data, change) => {
  const maxRows = 12; // the threads after these share a row
  // Columns of few samples each would show how samples fall into them.
  const columns = data.rate
    ? Math.round(Math.max(20, Math.min(300, data.length * data.rate / 4e6))) : 100;
  const height = 20;
  const steps = 1000; // of the sliders
  const { thread, from, to, frame, ticks } = data.moments;
  const names = data.threads.map((it) => it.name === null ? String(it.id) : `${it.name} ${it.id}`);
  const n = names.length <= maxRows ? names.length : maxRows - 1;
  const rows = names.slice(0, n).map((name, i) => ({ name, threads: [i] }));
  if (n < names.length)
    rows.push({ name: `${names.length - n} other threads`,
      threads: names.slice(n).map((_, i) => n + i) });
  const rowOf = names.map((_, i) => Math.min(i, n));
  let begin = 0; // of the chosen part, as a share of the run
  let end = 1;
  const chosen = new Set(); // rows; none: all

  // Samples by row and column. A sample is the time since the one before it, which may have
  // begun before the period.
  const bars = (isWanted) => {
    const result = rows.map(() => new Float64Array(columns));
    for (let k = 0; k < thread.length; k++) {
      if (!isWanted(frame[k])) continue;
      const length = Math.max(to[k] - from[k], data.rate ? ticks[k] * 1000 / data.rate : 0);
      const first = columns * Math.max(0, to[k] - length) / data.length;
      const last = columns * to[k] / data.length;
      for (let i = Math.floor(first); i < last && i < columns; i++)
        result[rowOf[thread[k]]][i] +=
          ticks[k] * (Math.min(last, i + 1) - Math.max(first, i)) / (last - first);
    }
    return result;
  };
  const all = bars((i) => i === 0);
  const waits = new Set(data.waits);
  const waiting = bars((i) => waits.has(i));
  // The height of a row: all time of its threads, or the most samples of one.
  const most = data.rate ? data.length * data.rate / 1000 / columns
    : Math.max(...all.map((row, i) => Math.max(...row) / rows[i].threads.length));
  const area = (bar, i, className) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const steps = Array.from(bar, (value, column) => {
      const part = Math.min(1, value / (most * rows[i].threads.length || 1));
      return `V${(height * (1 - part)).toFixed(1)}H${column + 1}`;
    });
    path.setAttribute("d", `M0 ${height}${steps.join("")}V${height}Z`);
    path.setAttribute("class", className);
    return path;
  };

  const seconds = (share) => `${(share * data.length / 1e6).toFixed(2)} s`;
  const strips = arcline.make("div", { className: "strips" });
  const brush = arcline.make("div", { className: "brush", hidden: true });
  const buttons = rows.map((row, i) => {
    const button = arcline.make("button", { type: "button", "aria-pressed": "false" }, row.name);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${columns} ${height}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    svg.append(area(all[i], i, "running"),
      area(waiting[i].map((value, column) => Math.min(value, all[i][column])), i, "waiting"));
    button.addEventListener("click", () => {
      if (!chosen.delete(i)) chosen.add(i);
      show();
    });
    strips.append(svg);
    return button;
  });
  strips.append(brush);
  const slider = (label, value) => arcline.make("input",
    { type: "range", min: 0, max: steps, value, "aria-label": label });
  const left = slider("Begin of the chosen part", 0);
  const right = slider("End of the chosen part", steps);
  const whole = arcline.make("button", { type: "button", disabled: true }, "Whole run");
  const status = arcline.make("output");
  const element = arcline.make("section", { className: "timeline", "aria-label": "Timeline" },
    arcline.make("div", { className: "threads" }, ...buttons), strips,
    arcline.make("div", { className: "timebar" }, left, right, whole, status));

  const isWhole = () => begin === 0 && end === 1 && chosen.size === 0;
  const show = () => {
    brush.hidden = begin === 0 && end === 1;
    brush.style.left = `${100 * begin}%`;
    brush.style.width = `${100 * (end - begin)}%`;
    left.value = Math.round(begin * steps);
    right.value = Math.round(end * steps);
    buttons.forEach((button, i) => {
      button.setAttribute("aria-pressed", String(chosen.has(i)));
    });
    whole.disabled = isWhole();
    const who = chosen.size ? [...chosen].map((i) => rows[i].name).join(", ")
      : `${names.length} thread${names.length === 1 ? "" : "s"}`;
    status.textContent = `${seconds(begin)} to ${seconds(end)}, ${who}`;
    change();
  };
  const choose = (a, b) => {
    begin = Math.max(0, Math.min(a, b));
    end = Math.min(1, Math.max(a, b));
    show();
  };
  const shareAt = (event) => {
    const box = strips.getBoundingClientRect();
    return (event.clientX - box.left) / box.width;
  };
  let start = null; // of a drag
  strips.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    start = shareAt(event);
    strips.setPointerCapture(event.pointerId);
  });
  strips.addEventListener("pointermove", (event) => {
    if (start !== null) choose(start, shareAt(event));
  });
  strips.addEventListener("pointerup", (event) => {
    // A click without a drag chooses the whole run again.
    if (start !== null && Math.abs(shareAt(event) - start) < 0.004) choose(0, 1);
    start = null;
  });
  strips.addEventListener("pointercancel", () => { start = null; });
  left.addEventListener("input", () => choose(left.value / steps, Math.max(left.value / steps, end)));
  right.addEventListener("input", () => choose(Math.min(right.value / steps, begin), right.value / steps));
  whole.addEventListener("click", () => { chosen.clear(); choose(0, 1); });

  return {
    element,
    begin: show,
    // Samples by frame of what is chosen; null: everything is. Those of a period that is
    // chosen in part count in part.
    self(nFrames) {
      if (isWhole()) return null;
      const self = new Float64Array(nFrames);
      for (let k = 0; k < thread.length; k++) {
        if (!frame[k] || (chosen.size && !chosen.has(rowOf[thread[k]]))) continue;
        const low = Math.max(from[k], begin * data.length);
        const high = Math.min(to[k], end * data.length);
        if (high > low) self[frame[k]] += ticks[k] * (high - low) / (to[k] - from[k]);
      }
      return self;
    },
  };
};
