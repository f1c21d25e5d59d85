int other(int x);

int part(int x) {
  if (x % 2)
    return x;
  return other(x) + 1;
}
