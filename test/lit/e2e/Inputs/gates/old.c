int one(int x) {
  return x + 1;
}
int two(int x) {
  return x + 2;
}
