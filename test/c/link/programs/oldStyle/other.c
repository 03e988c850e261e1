int add(a, b)
  int a, b;
{ return a * 10 + b; }
undeclared(x) { return x + 1; }
long widened(short s, char c) { return s * 100L + c; }
