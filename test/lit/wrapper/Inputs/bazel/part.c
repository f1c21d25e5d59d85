int part(int n) {
  if (n > 2)
    return n + 1;
  return n;
}
