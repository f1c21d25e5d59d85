extern "C" int part(int n);
extern "C" int excluded(int n);

int main() {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += part(i) - excluded(i);
  return sum;
}
