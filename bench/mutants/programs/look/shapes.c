/* Shapes as tagged unions, dispatched through a table of functions. */
#include <assert.h>
#include <stddef.h>

typedef enum { CIRCLE, RECT, TRIANGLE, SHAPE_KINDS } ShapeKind;

typedef struct { int x, y; } Point;

typedef struct {
    ShapeKind kind;
    Point at;
    union {
        struct { int radius; } circle;
        struct { int w, h; } rect;
        struct { Point b, c; } triangle;   /* relative to at */
    } as;
} Shape;

typedef struct { int left, top, right, bottom; } Box;

static int min2(int a, int b) { return a < b ? a : b; }
static int max2(int a, int b) { return a > b ? a : b; }

static int area_circle(const Shape *s)
{
    return s->as.circle.radius * s->as.circle.radius * 314 / 100;
}

static int area_rect(const Shape *s)
{
    return s->as.rect.w * s->as.rect.h;
}

static int area_triangle(const Shape *s)
{
    Point b = s->as.triangle.b, c = s->as.triangle.c;
    int twice = b.x * c.y - b.y * c.x;
    return (twice < 0 ? -twice : twice) / 2;
}

typedef int (*AreaFn)(const Shape *);

static const AreaFn area_of[SHAPE_KINDS] = { area_circle, area_rect, area_triangle };

static int area(const Shape *s)
{
    return area_of[s->kind](s);
}

static Box bounds(const Shape *s)
{
    Box b = { s->at.x, s->at.y, s->at.x, s->at.y };

    switch (s->kind) {
    case CIRCLE: {
        int r = s->as.circle.radius;
        b.left -= r;
        b.top -= r;
        b.right += r;
        b.bottom += r;
        break;
    }
    case RECT:
        b.right += s->as.rect.w;
        b.bottom += s->as.rect.h;
        break;
    case TRIANGLE: {
        Point p = s->as.triangle.b, q = s->as.triangle.c;
        b.left += min2(0, min2(p.x, q.x));
        b.right += max2(0, max2(p.x, q.x));
        b.top += min2(0, min2(p.y, q.y));
        b.bottom += max2(0, max2(p.y, q.y));
        break;
    }
    default:
        break;
    }
    return b;
}

static Box join(Box a, Box b)
{
    Box r;
    r.left = min2(a.left, b.left);
    r.top = min2(a.top, b.top);
    r.right = max2(a.right, b.right);
    r.bottom = max2(a.bottom, b.bottom);
    return r;
}

static int overlaps(Box a, Box b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

static void scale(Shape *s, int factor)
{
    if (s->kind == CIRCLE) {
        s->as.circle.radius *= factor;
    } else if (s->kind == RECT) {
        s->as.rect.w *= factor;
        s->as.rect.h *= factor;
    } else {
        s->as.triangle.b.x *= factor;
        s->as.triangle.b.y *= factor;
        s->as.triangle.c.x *= factor;
        s->as.triangle.c.y *= factor;
    }
}

static const Shape *largest(const Shape *shapes, int n)
{
    const Shape *best = NULL;
    for (int i = 0; i < n; i++)
        if (best == NULL || area(&shapes[i]) > area(best))
            best = &shapes[i];
    return best;
}

static Shape make_circle(int x, int y, int r)
{
    Shape s = { .kind = CIRCLE, .at = { x, y } };
    s.as.circle.radius = r;
    return s;
}

static Shape make_rect(int x, int y, int w, int h)
{
    Shape s = { .kind = RECT, .at = { x, y } };
    s.as.rect.w = w;
    s.as.rect.h = h;
    return s;
}

static Shape make_triangle(Point a, Point b, Point c)
{
    Shape s = { .kind = TRIANGLE, .at = a };
    s.as.triangle.b.x = b.x - a.x;
    s.as.triangle.b.y = b.y - a.y;
    s.as.triangle.c.x = c.x - a.x;
    s.as.triangle.c.y = c.y - a.y;
    return s;
}

static void test_area(void)
{
    Shape c = make_circle(0, 0, 10), r = make_rect(1, 1, 4, 6);
    Shape t = make_triangle((Point){ 1, 1 }, (Point){ 5, 1 }, (Point){ 1, 4 });
    assert(area(&c) == 314);
    assert(area(&r) == 24);
    assert(area(&t) == 6);
}

static void test_bounds(void)
{
    Shape c = make_circle(5, 6, 2);
    Shape t = make_triangle((Point){ 3, 3 }, (Point){ 0, 8 }, (Point){ 7, 2 });
    Box b = bounds(&c);
    assert(b.left == 3 && b.top == 4 && b.right == 7 && b.bottom == 8);
    b = bounds(&t);
    assert(b.left == 0 && b.right == 7);
    assert(b.top == 2 && b.bottom == 8);
}

static void test_join(void)
{
    Shape a = make_rect(0, 0, 2, 2), b = make_rect(5, 1, 3, 9);
    Box j = join(bounds(&a), bounds(&b));
    assert(j.left == 0 && j.top == 0);
    assert(j.right == 8 && j.bottom == 10);
    assert(!overlaps(bounds(&a), bounds(&b)));
    a.at.x = 4;
    assert(overlaps(bounds(&a), bounds(&b)));
    a.at.x = 3;
    assert(!overlaps(bounds(&a), bounds(&b)));
}

static void test_scale(void)
{
    Shape s[3] = { make_circle(0, 0, 1), make_rect(0, 0, 2, 3),
                   make_triangle((Point){ 0, 0 }, (Point){ 2, 0 }, (Point){ 0, 2 }) };
    assert(largest(s, 3) == &s[1]);
    scale(&s[2], 3);
    assert(area(&s[2]) == 18);
    assert(largest(s, 3)->kind == TRIANGLE);
    scale(&s[0], 10);
    assert(area(&s[0]) == 314);
    scale(&s[1], 2);
    assert(area(&s[1]) == 24);
    assert(largest(s, 0) == NULL);
}

int main(void)
{
    test_area();
    test_bounds();
    test_join();
    test_scale();
    return 0;
}
