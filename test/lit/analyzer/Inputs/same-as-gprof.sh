#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same-as-gprof.sh GPROF ARCLINE IMAGE PROFILE OPTION...
#
# Run both analyzers with the options; fail if their output differs. GNU gprof does not
# get --gnu-bugs, nor does arcline if GNU gprof is 2.44 or later, which has the right file for
# DWARF 5 of gcc.
set -e
gprof=$1 arcline=$2 image=$3 profile=$4
shift 4
minor=$("$gprof" --version | sed -n '1s/.* 2\.\([0-9]*\).*/\1/p')
gnu_options=
our_options=
for option; do
  if [ "$option" = --gnu-bugs ]; then
    [ "$minor" -ge 44 ] || our_options="$our_options $option"
  else
    gnu_options="$gnu_options $option"
    our_options="$our_options $option"
  fi
done
# shellcheck disable=SC2086 # options of tests contain no blanks
{
  "$gprof" -b $gnu_options "$image" "$profile" >gprof.out 2>gprof.err
  "$arcline" gprof -b $our_options "$image" "$profile" >arcline.out 2>arcline.err
}
cmp gprof.out arcline.out || { diff gprof.out arcline.out | head -20; exit 1; }
test -s arcline.out
