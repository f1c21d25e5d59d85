# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# awk -f changelog.awk SECTIONS PAGE: prints headings that are out of order, entries before
# any section, and a section Fixed of the first release.
NR == FNR { place[$0] = NR; next }
/^## / { release = $0; last = 0 }
/^### / {
  section = substr($0, 5)
  if (!(section in place) || place[section] <= last)
    print
  last = place[section]
  if (section == "Fixed")
    fixed = release
}
/^- / && last == 0 { print }
# The first release is the last one on the page.
END { if (fixed != "" && fixed == release) print release ": Fixed" }
