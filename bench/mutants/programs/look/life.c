/* Conway's game of life on a small torus. */
#include <assert.h>
#include <string.h>

#define ROWS 6
#define COLS 7

typedef struct {
    char cell[ROWS][COLS];
    int generation;
} World;

static void world_read(World *w, const char *picture)
{
    int r = 0, c = 0;
    memset(w, 0, sizeof(*w));
    for (; *picture; picture++) {
        if (*picture == '\n') {
            r++;
            c = 0;
        } else {
            w->cell[r][c++] = *picture == '#';
        }
    }
}

static int wrap(int x, int n)
{
    return (x + n) % n;
}

static int neighbours(const World *w, int r, int c)
{
    int n = 0;
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            if (dr == 0 && dc == 0)
                continue;
            n += w->cell[wrap(r + dr, ROWS)][wrap(c + dc, COLS)];
        }
    }
    return n;
}

static void step(World *w)
{
    World next;
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < COLS; c++) {
            int n = neighbours(w, r, c);
            if (w->cell[r][c])
                next.cell[r][c] = n == 2 || n == 3;
            else
                next.cell[r][c] = n == 3;
        }
    }
    next.generation = w->generation + 1;
    *w = next;
}

static int population(const World *w)
{
    int n = 0;
    for (int i = 0; i < ROWS * COLS; i++)
        if (w->cell[i / COLS][i % COLS])
            n++;
    return n;
}

static int same(const World *a, const World *b)
{
    return memcmp(a->cell, b->cell, sizeof a->cell) == 0;
}

/* Runs until the picture repeats the one before or the one two before; gives the period, 0 if it does not settle. */
static int settle(World *w, int limit)
{
    World before = *w, earlier = *w;
    while (w->generation < limit) {
        earlier = before;
        before = *w;
        step(w);
        if (same(w, &before))
            return 1;
        if (w->generation >= 2 && same(w, &earlier))
            return 2;
    }
    return 0;
}

static void test_neighbours(void)
{
    World w;
    world_read(&w, "#.....#\n.......\n..#....\n");
    assert(population(&w) == 3);
    assert(neighbours(&w, 0, 0) == 1);
    assert(neighbours(&w, 5, 0) == 2);
    assert(neighbours(&w, 1, 1) == 2);
    assert(neighbours(&w, 2, 2) == 0);
}

static void test_block(void)
{
    World w;
    world_read(&w, ".......\n..##...\n..##...\n");
    step(&w);
    assert(population(&w) == 4);
    assert(w.cell[1][2] && w.cell[2][3]);
    assert(settle(&w, 10) == 1);
}

static void test_blinker(void)
{
    World w;
    world_read(&w, "\n\n..###..\n");
    step(&w);
    assert(w.cell[1][3] && w.cell[2][3] && w.cell[3][3]);
    assert(!w.cell[2][2]);
    assert(w.generation == 1);
    assert(settle(&w, 20) == 2);
}

static void test_dies(void)
{
    World w;
    world_read(&w, "#......\n......#\n");
    assert(settle(&w, 5) == 1);
    assert(population(&w) == 0);
    assert(w.generation == 2);
}

static void test_glider(void)
{
    World w;
    world_read(&w, ".#.....\n..#....\n###....\n");
    for (int i = 0; i < 4; i++)
        step(&w);
    assert(population(&w) == 5);
    assert(w.cell[1][2] && w.cell[2][3] && w.cell[3][1] && w.cell[3][3]);
    assert(settle(&w, 6) == 0);
}

int main(void)
{
    test_neighbours();
    test_block();
    test_blinker();
    test_dies();
    test_glider();
    return 0;
}
