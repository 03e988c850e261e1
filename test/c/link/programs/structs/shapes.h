#ifndef SHAPES_H
#define SHAPES_H
struct stack; /* Opaque outside of stack.c. */
struct stack *stack_new(void);
void stack_push(struct stack *, int);
int stack_pop(struct stack *);
typedef struct { short x, y; } point;
union word { unsigned u; unsigned char bytes[4]; };
struct bits { unsigned low : 3, : 0, high : 5; _Bool flag : 1; };
struct node { struct node *next; point at; };
point moved(point, short);
struct bits packed(unsigned);
union word swapped(union word);
struct node *chain(struct node *, int);
enum color { red, green = 5, blue };
enum color darker(enum color);
extern struct bits last;
#endif
