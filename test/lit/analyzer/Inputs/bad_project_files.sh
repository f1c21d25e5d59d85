# Files of settings that are rejected: prints exit status and message of each.
#   bad_project_files.sh ARCLINE
try() {
  message=$(ARCLINE_CONFIG=$1 "$arcline" "${2:-annotate}" prog 2>&1)
  echo "exit $?: $message"
}
arcline=$1
for text in 'exclud = x' 'format = lcov' '[nope]\na = b' '[gprof]\nline = yes' \
            '[annotate]\nbranches = maybe' '[annotate]\nsort = size' '[annotate]\nsor = time' \
            '[diff]\nfail-under = lines=x' 'marker = off' 'include =' "include = $(printf '%0300d' 1)" '[export'; do
  printf '%b\n' "$text" > bad.ini
  case $text in '[diff]'*) try bad.ini diff ;; *) try bad.ini ;; esac
done
try none.ini
