/* Shortest way through a maze, breadth first. */
#include <assert.h>
#include <string.h>

#define W 8
#define H 6
#define WALL '#'
#define UNSEEN (-1)

struct point {
    int x, y;
};

struct maze {
    char grid[H][W + 1];
    int distance[H][W];
};

static struct point queue[W * H];
static int q_head, q_tail;

static void q_push(int x, int y)
{
    queue[q_tail].x = x;
    queue[q_tail].y = y;
    q_tail++;
}

static int load(struct maze *m, const char *const rows[H])
{
    for (int y = 0; y < H; y++) {
        if (strlen(rows[y]) != W)
            return 0;
        strcpy(m->grid[y], rows[y]);
        for (int x = 0; x < W; x++)
            m->distance[y][x] = UNSEEN;
    }
    return 1;
}

static int find(const struct maze *m, char what, struct point *at)
{
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            if (m->grid[y][x] == what) {
                at->x = x;
                at->y = y;
                return 1;
            }
        }
    }
    return 0;
}

static int passable(const struct maze *m, int x, int y)
{
    return x >= 0 && x < W && y >= 0 && y < H && m->grid[y][x] != WALL;
}

static void flood(struct maze *m, struct point from)
{
    static const int dx[] = { 1, 0, -1, 0 };
    static const int dy[] = { 0, 1, 0, -1 };

    q_head = q_tail = 0;
    m->distance[from.y][from.x] = 0;
    q_push(from.x, from.y);
    while (q_head < q_tail) {
        struct point p = queue[q_head++];
        for (int d = 0; d < 4; d++) {
            int x = p.x + dx[d], y = p.y + dy[d];
            if (passable(m, x, y) && m->distance[y][x] == UNSEEN) {
                m->distance[y][x] = m->distance[p.y][p.x] + 1;
                q_push(x, y);
            }
        }
    }
}

static int solve(struct maze *m)
{
    struct point start, goal;
    if (!find(m, 'S', &start) || !find(m, 'G', &goal))
        return -2;
    flood(m, start);
    return m->distance[goal.y][goal.x];
}

/* Marks a shortest way with dots, from the goal back; returns how many were marked. */
static int mark_way(struct maze *m)
{
    struct point p;
    int marked = 0;

    if (!find(m, 'G', &p) || m->distance[p.y][p.x] == UNSEEN)
        return 0;
    while (m->distance[p.y][p.x] > 1) {
        int next = m->distance[p.y][p.x] - 1;
        if (passable(m, p.x - 1, p.y) && m->distance[p.y][p.x - 1] == next)
            p.x--;
        else if (passable(m, p.x + 1, p.y) && m->distance[p.y][p.x + 1] == next)
            p.x++;
        else if (passable(m, p.x, p.y - 1) && m->distance[p.y - 1][p.x] == next)
            p.y--;
        else
            p.y++;
        m->grid[p.y][p.x] = '.';
        marked++;
    }
    return marked;
}

static const char *const winding[H] = {
    "S #     ",
    "  # ### ",
    "  # # # ",
    "    # # ",
    "##### # ",
    "G       ",
};

void test_shortest(void)
{
    struct maze m;
    assert(load(&m, winding));
    assert(solve(&m) == 25);
    assert(m.distance[3][1] == 4);
    assert(m.distance[2][2] == UNSEEN);
}

void test_way(void)
{
    struct maze m;
    load(&m, winding);
    solve(&m);
    assert(mark_way(&m) == 24);
    assert(m.grid[5][1] == '.');
    assert(m.grid[0][7] == '.');
    assert(m.grid[2][5] == ' ');
}

void test_open(void)
{
    static const char *const open[H] = {
        "        ", "   S    ", "        ", "        ", "      G ", "        ",
    };
    struct maze m;
    assert(load(&m, open));
    assert(solve(&m) == 6);
    assert(m.distance[0][0] == 4);
    assert(m.distance[5][7] == 8);
    assert(mark_way(&m) == 5);
}

void test_closed(void)
{
    static const char *const closed[H] = {
        "S #     ", "  #     ", "###     ", "        ", "        ", "       G",
    };
    struct maze m;
    assert(load(&m, closed));
    assert(solve(&m) == -1);
    assert(m.distance[1][1] == 2);
    assert(mark_way(&m) == 0);
}

void test_bad(void)
{
    static const char *const none[H] = {
        "S       ", "        ", "        ", "        ", "        ", "        ",
    };
    static const char *const ragged[H] = {
        "S       ", "  ", "        ", "        ", "        ", "       G",
    };
    struct maze m;
    assert(load(&m, none));
    assert(solve(&m) == -2);
    assert(!load(&m, ragged));
}

int main(void)
{
    test_shortest();
    test_way();
    test_open();
    test_closed();
    test_bad();
    return 0;
}
