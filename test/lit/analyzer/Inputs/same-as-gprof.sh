#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# same-as-gprof.sh GPROF ARCLINE IMAGE PROFILE OPTION...
#
# Run both analyzers with the options; fail if their output differs. GNU gprof does not
# get --gnu-bugs; arcline reproduces the mistakes of its release.
set -e
gprof=$1 arcline=$2 image=$3 profile=$4
shift 4
release=$("$gprof" --version | sed -n '1s/.* \(2\.[0-9]*\).*/\1/p')
options=
bugs=
for option; do
  if [ "$option" = --gnu-bugs ]; then
    bugs=--gnu-bugs=$release
  else
    options="$options $option"
  fi
done
# shellcheck disable=SC2086 # options of tests contain no blanks
{
  "$gprof" -b $options "$image" "$profile" >gprof.out 2>gprof.err
  "$arcline" gprof -b $bugs $options "$image" "$profile" >arcline.out 2>arcline.err
}
test -s arcline.out
cmp gprof.out arcline.out || { diff gprof.out arcline.out | head -20; exit 1; }
