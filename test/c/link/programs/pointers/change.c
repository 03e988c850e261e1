int plain, pointed;
struct s { int in, out; };
struct s flat, addressed;
static void bump(int *p) { *p += 10; }
void change(void) {
  plain++;
  bump(&pointed);
  flat.out = flat.in * 2;
  struct s *p = &addressed;
  p->in = p->out + 1;
}
