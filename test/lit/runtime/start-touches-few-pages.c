/* A process that does nothing has few page faults more than the plain one, each
   of which costs as much as several system calls: 18 in a single run, 13 if it
   adds to a pool that there is. */
// RUN: %cc -O1 %s -o plain && %arcline-cc -O1 %s -o prog
// RUN: %python %S/Inputs/page_faults.py ./plain > plain.faults
// RUN: %python %S/Inputs/page_faults.py ./prog > single.faults
// RUN: export ARCLINE_OPTIONS=out=pool/%%m
// RUN: ./prog && %python %S/Inputs/page_faults.py ./prog > pool.faults
// RUN: cat plain.faults single.faults pool.faults
// RUN: test $(cat single.faults) -lt $(($(cat plain.faults) + 24))
// RUN: test $(cat pool.faults) -lt $(($(cat plain.faults) + 18))
int main(void) { return 0; }
