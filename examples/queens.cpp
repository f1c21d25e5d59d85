// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many ways are there to place n queens on a board of n x n squares?
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace chess {

// Columns and diagonals that are under attack.
class Attacks {
public:
  explicit Attacks(int n)
      : columns(n), rising(2 * n), falling(2 * n), size(n) {}

  bool isFree(int row, int column) const {
    return !columns[column] && !rising[row + column] &&
           !falling[row - column + size];
  }

  void set(int row, int column, bool attacked) {
    columns[column] = rising[row + column] = falling[row - column + size] =
        attacked;
  }

private:
  std::vector<char> columns, rising, falling;
  int size;
};

class Board {
public:
  explicit Board(int n) : attacks(n), size(n) {
    if (n < 1 || n > 16)
      throw std::out_of_range("no such board");
  }

  long countFrom(int row) {
    if (row == size)
      return 1;
    long total = 0;
    for (int column = 0; column < size; column++) {
      if (!attacks.isFree(row, column))
        continue;
      attacks.set(row, column, true);
      total += countFrom(row + 1);
      attacks.set(row, column, false);
    }
    return total;
  }

private:
  Attacks attacks;
  int size;
};

} // namespace chess

int main() {
  for (int n : {4, 8, 11, 12, 99}) {
    try {
      chess::Board board(n);
      std::printf("%2d queens: %ld ways\n", n, board.countFrom(0));
    } catch (const std::out_of_range &error) {
      std::printf("%2d queens: %s\n", n, error.what());
    }
  }
}
