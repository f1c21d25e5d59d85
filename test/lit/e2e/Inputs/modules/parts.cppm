export module shape:parts;

export int half(int x) { // 30
  if (x % 2)             // 30
    return -1;           // 15
  return x / 2;          // 15
}
