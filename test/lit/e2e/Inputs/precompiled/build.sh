#!/bin/sh
# build.sh WAY COMPILER [OPTION]...: build prog from main.cpp, other.cpp and
# shapes.h, the header precompiled in one of clang's ways.
set -e
way=$1
shift
header() { "$@" -x c++-header shapes.h -o shapes.pch; }
case $way in
none)
  "$@" main.cpp other.cpp -o prog
  ;;
include)
  header "$@"
  "$@" -include-pch shapes.pch main.cpp other.cpp -o prog
  ;;
instantiate)
  header "$@" -fpch-instantiate-templates
  "$@" -include-pch shapes.pch main.cpp other.cpp -o prog
  ;;
codegen)
  header "$@" -fpch-codegen -fpch-debuginfo
  "$@" -c shapes.pch -o shapes.o
  "$@" -include-pch shapes.pch main.cpp other.cpp shapes.o -o prog
  ;;
object)
  header "$@" -Xclang -building-pch-with-obj
  echo >empty.cpp
  "$@" -Xclang -building-pch-with-obj -include-pch shapes.pch -c empty.cpp -o shapes.o
  "$@" -include-pch shapes.pch main.cpp other.cpp shapes.o -o prog
  ;;
esac
