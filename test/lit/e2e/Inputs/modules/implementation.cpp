module shape;

int made() { return 5; }      // 1
Shape::~Shape() { n_left--; } // 3
