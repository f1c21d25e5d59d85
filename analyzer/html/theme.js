/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// Before anything is drawn: the colours that the reader chose last, and that scripts run.
"use strict";
(() => {
  document.documentElement.dataset.scripts = "";
  try {
    const theme = localStorage.getItem("arcline-theme");
    if (theme === "light" || theme === "dark")
      document.documentElement.dataset.theme = theme;
  } catch {
    // Nothing is kept where pages may keep nothing.
  }
})();
