static int lib(int x) {
  return x + 1;
}
