#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same-as-gprof.sh GPROF ARCLINE IMAGE PROFILE OPTION...
#
# Run both analyzers with the options; fail if their output differs. GNU gprof does not
# get --gnu-bugs. GNU gprof 2.44 has the right file for DWARF 5 of gcc and the other
# mistakes of --gnu-bugs: its output may be that without the option instead.
set -e
gprof=$1 arcline=$2 image=$3 profile=$4
shift 4
minor=$("$gprof" --version | sed -n '1s/.* 2\.\([0-9]*\).*/\1/p')
options=
has_bugs=
for option; do
  if [ "$option" = --gnu-bugs ]; then
    has_bugs=1
  else
    options="$options $option"
  fi
done
# shellcheck disable=SC2086 # options of tests contain no blanks
"$gprof" -b $options "$image" "$profile" >gprof.out 2>gprof.err
"$arcline" gprof -b "$@" "$image" "$profile" >arcline.out 2>arcline.err
test -s arcline.out
if [ -n "$has_bugs" ] && [ "$minor" -ge 44 ] && ! cmp -s gprof.out arcline.out; then
  # shellcheck disable=SC2086
  "$arcline" gprof -b $options "$image" "$profile" >arcline.out 2>arcline.err
fi
cmp gprof.out arcline.out || { diff gprof.out arcline.out | head -20; exit 1; }
