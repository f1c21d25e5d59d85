// A function that runs initialisers is at line 0. The first page of a long file has it besides as
// many lines as all other pages have.
// RUN: cp %s big.cpp && %python -c 'print("// more\n" * 4100)' >> big.cpp
// RUN: %arcline-c++ -O1 -g big.cpp -o prog && ./prog && %arcline html -o report prog
// RUN: ls report/src | grep big.cpp | count 2
// RUN: %arcline annotate --function=main prog | grep -q 'return name.size() != 30'
#include <string>

static std::string name = std::string(30, 'A');

int main() { return name.size() != 30; }
