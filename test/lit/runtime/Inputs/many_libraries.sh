# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Many libraries that differ in name and build-id, made of one whose build-id is
# its name, and programs that load them.
#
#   many_libraries.sh copy N            libp000.so becomes libp000.so to N - 1
#   many_libraries.sh run ARCLINE N PROGRAM [linked]
#                                       runs it into a pool, and compares counts
set -e
case $1 in
copy)
  for ((i = 1; i < $2; i++)); do
    printf -v name 'libp%03d' "$i"
    LC_ALL=C sed "s/libp000/$name/g" libp000.so > "$name.so"
  done
  chmod +x libp*.so
  ;;
run)
  arcline=$2
  shift 2
  program=$2
  rm -rf pool
  ARCLINE_OPTIONS=out=pool/%m "./$program" "$1" "$3" > expected
  calls() { # argument...
    "$arcline" export --format=lcov "$@" |
      sed -n 's/^FNDA:\([0-9]*\),work$/\1/p'
  }
  while read -r which count; do
    if [ "$which" = all ]; then
      got=$(calls pool)
    else
      got=$(calls "$which.so" pool/"$which".so.*)
    fi
    if [ "$got" != "$count" ]; then
      echo "$program: $which was called $count times, counted: $got"
      exit 1
    fi
  done < expected
  # One runtime served all, to the end.
  [ "$(ls pool | grep -c '^libp.*[.][0-9a-f]*$')" = "$1" ]
  [ "$(ls pool | grep -c '[.]arcline$')" = 1 ]
  ;;
esac
