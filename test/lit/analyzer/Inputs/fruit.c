int apple(int n) {
  return n + 1;
}

int pear(int n) {
  return n ? apple(n) : 0;
}

int plum(void) { return 3; } int fig(void) { return 4; }

int main(void) {
  return pear(plum() + fig()) == 0;
}
