import shape;

int main() {                        // 1
  int sum = 0;                      // 1
  for (int i = 0; i < 10; i++)      // 11
    sum += odd(i);                  // 10
  for (int i = 2; i < 5; i++) {     // 4
    Shape shape(10);                // 3
    sum += twice(i) + shape.area(); // 3
  }
  return sum != 58; // 1
}
