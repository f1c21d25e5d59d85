int half(int x) {
  if (x % 2)
    return -1;
  return x / 2;
}
