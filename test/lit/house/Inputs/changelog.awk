# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# awk -f changelog.awk TAGS PAGE: prints entries that are out of order.
NR == FNR { place[$1] = NR; next }
/^## / { n_releases++; last = 0 }
/^- / {
  tag = $2
  gsub(/[:,]/, "", tag)
  if (!(tag in place) || place[tag] < last)
    print
  else
    last = place[tag]
  if (tag == "fix")
    fixes[n_releases] = fixes[n_releases] $0 "\n"
}
# The first release is the last one on the page.
END { printf "%s", fixes[n_releases] }
