// Names of #line that are not relative to the folder of compilation, but to
// that of the file with the directive, or to that in which the generator was
// run: the folder of headers, or one that follows from the name of its output.
// They are exported as existing files, in the same way as names that only debug
// information has.
// RUN: mkdir -p src build && top=$PWD
// RUN: sed -n 's,^// GRAMMAR: *,,p' %s > src/gram.y
// RUN: echo 'static struct node { int value; } first = {1};' > src/node.h
// RUN: sed -n 's,^// SCRIPT: ,,p' %s | sed 's,ARCLINE,%arcline,' > functions && . ./functions

// Beside the generated file, which is compiled in another folder.
// RUN: generate gram.y gram.c > src/gram.c
// RUN: cd $top/build && %arcline-cc -g ../src/gram.c -o prog && check
// RUN: cd $top/build && %arcline-cc -g $top/src/gram.c -o prog && check
// RUN: cd $top && %arcline-cc -g src/gram.c -o prog && check
// RUN: cd $top/build && %arcline-cc -g -ffile-prefix-map=$top=. $top/src/gram.c -o prog && cd .. && check build/prog

// Generated in a folder of its own, from which the grammar is named.
// RUN: rm $top/src/gram.c && cd $top && generate ../src/gram.y gram.c > build/gram.c
// RUN: %arcline-cc -g build/gram.c -o prog && check

// The generator was run where the grammar and its headers are.
// RUN: (echo '#include "node.h"' && generate gram.y gram.c) > build/gram.c
// RUN: cd $top/build && %arcline-cc -g -I../src -DVALUE=first.value gram.c -o prog && check

// Or the name of its output is relative to that folder.
// RUN: generate gram.y ../build/gram.c > gram.c
// RUN: %arcline-cc -g gram.c -o prog && check
// RUN: cd / && %arcline-cc -g $top/build/gram.c -o $top/prog && cd $top && check
// RUN: mv build objects && generate gram.y gram.c > objects/gram.c
// RUN: %arcline-cc -g objects/gram.c -o prog && check

// Of two possible files, none is used.
// RUN: mkdir other && cp src/gram.y other && %arcline-cc -g objects/gram.c -o prog && ./prog
// RUN: %arcline export --format=lcov prog | grep -xF "SF:$top/gram.y"

// SCRIPT: generate() {
// SCRIPT:   echo "#line 1 \"$1\""
// SCRIPT:   cat "$top/src/gram.y"
// SCRIPT:   echo "#line 9 \"$2\""
// SCRIPT:   echo 'int main(void) { return one(VALUE) - 2; }'
// SCRIPT: }
// SCRIPT: check() {
// SCRIPT:   prog=${1:-./prog}
// SCRIPT:   rm -f gmon.out* && $prog || return 1
// SCRIPT:   ARCLINE export --format=lcov -o all.info --format=callgrind -o all.cg $prog gmon.out || return 1
// SCRIPT:   sed -n 's/^SF://p' all.info > files
// SCRIPT:   grep -q 'src/gram\.y$' files && grep -q 'src/gram\.y$' all.cg || { cat files all.cg; return 1; }
// SCRIPT:   while read -r file; do test -f "$file" || { echo "$file"; return 1; }; done < files
// SCRIPT: }
// GRAMMAR: #ifndef VALUE
// GRAMMAR: #define VALUE 1
// GRAMMAR: #endif
// GRAMMAR: static int one(int x) {
// GRAMMAR:   return x + 1;
// GRAMMAR: }
