#include "shapes.h"

int other() {
  std::vector<int> areas; // 1
  for (int i = 1; i <= 3; i++)
    areas.push_back(twice(Square(i).area())); // 3
  return sum(areas); // 1
}
