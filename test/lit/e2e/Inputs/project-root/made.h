static int made(int x) {
  return x + 2;
}
