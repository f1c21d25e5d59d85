// Options that the wrapper adds are used in every kind of command: -Werror has
// no warning to make an error.
// RUN: %arcline-cc -Werror -Wall -c %s -o one.o
// RUN: %arcline-cc -Werror -Wall -S %s -o one.s
// RUN: %arcline-cc -Werror -Wall -emit-llvm -c %s -o one.bc
// RUN: %arcline-cc -Werror -Wall -flto -c %s -o lto.o
// RUN: %arcline-cc -Werror -Wall -E %s -o one.i
// RUN: %arcline-cc -Werror -Wall -fsyntax-only %s
// RUN: %arcline-cc -Werror -Wall -c one.s -o two.o
// RUN: %arcline-cc -Werror -Wall -r two.o -o three.o
// RUN: %arcline-cc -Werror -Wall three.o -o prog && ./prog
// RUN: %arcline-cc -Werror -Wall -shared -fPIC %s -o libx.so
// RUN: %arcline-cc -Werror -Wall -static %s -o prog && ./prog
// RUN: %arcline-cc -Werror -Wall -x c - -o prog < %s && ./prog
// RUN: %arcline-cc -Werror -Wall one.bc -o prog && ./prog
int main(void) { return 0; }
