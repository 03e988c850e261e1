/* Simulation of one elevator. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define FLOORS 8

typedef enum { DOWN = -1, STILL = 0, UP = 1 } Direction;

typedef struct {
    int floor;
    Direction direction;
    bool door_open;
    bool requests[FLOORS];
    int travelled;
    int stops;
    int capacity, load;
} Elevator;

static void elevator_init(Elevator *e, int capacity)
{
    memset(e, 0, sizeof *e);
    e->direction = STILL;
    e->capacity = capacity;
}

static bool request(Elevator *e, int floor)
{
    if (floor < 0 || floor >= FLOORS)
        return false;
    e->requests[floor] = true;
    return true;
}

static bool any_above(const Elevator *e)
{
    for (int f = e->floor + 1; f < FLOORS; f++)
        if (e->requests[f])
            return true;
    return false;
}

static bool any_below(const Elevator *e)
{
    for (int f = 0; f < e->floor; f++)
        if (e->requests[f])
            return true;
    return false;
}

/* Goes on in its direction as long as there is something to do there. */
static Direction choose(const Elevator *e)
{
    if (e->direction == UP && any_above(e))
        return UP;
    if (e->direction == DOWN && any_below(e))
        return DOWN;
    if (any_above(e))
        return UP;
    if (any_below(e))
        return DOWN;
    return STILL;
}

/* One tick: close the door, serve this floor, or move by one. */
static void tick(Elevator *e)
{
    if (e->door_open) {
        e->door_open = false;
        return;
    }
    if (e->requests[e->floor]) {
        e->requests[e->floor] = false;
        e->door_open = true;
        e->stops++;
        return;
    }
    e->direction = choose(e);
    if (e->direction != STILL) {
        e->floor += e->direction;
        e->travelled++;
    }
}

static bool idle(const Elevator *e)
{
    return !e->door_open && !e->requests[e->floor] && choose(e) == STILL;
}

static int run_until_idle(Elevator *e, int limit)
{
    int ticks = 0;
    while (!idle(e) && ticks < limit) {
        tick(e);
        ticks++;
    }
    return ticks;
}

/* How many of n people get in; those who do not fit wait. */
static int board(Elevator *e, int n)
{
    int room = e->capacity - e->load;
    int entering = n < room ? n : room;
    if (!e->door_open)
        return 0;
    e->load += entering;
    return entering;
}

static int leave(Elevator *e, int n)
{
    if (!e->door_open)
        return 0;
    if (n > e->load)
        n = e->load;
    e->load -= n;
    return n;
}

void test_one_request(void)
{
    Elevator e;
    elevator_init(&e, 4);
    assert(idle(&e));
    assert(request(&e, 3));
    assert(run_until_idle(&e, 50) == 5);
    assert(e.floor == 3);
    assert(e.travelled == 3);
    assert(e.stops == 1);
}

void test_limits(void)
{
    Elevator e;
    elevator_init(&e, 4);
    assert(!request(&e, -1));
    assert(!request(&e, FLOORS));
    assert(request(&e, FLOORS - 1));
    run_until_idle(&e, 50);
    assert(e.floor == 7);
}

void test_keeps_direction(void)
{
    Elevator e;
    elevator_init(&e, 4);
    request(&e, 5);
    for (int i = 0; i < 3; i++)
        tick(&e);
    assert(e.floor == 3 && e.direction == UP);
    request(&e, 1);
    request(&e, 6);
    run_until_idle(&e, 100);
    assert(e.floor == 1);
    assert(e.travelled == 11);
    assert(e.stops == 3);
}

void test_way_down(void)
{
    Elevator e;
    elevator_init(&e, 4);
    e.floor = 6;
    request(&e, 4);
    request(&e, 2);
    tick(&e);
    assert(e.direction == DOWN);
    request(&e, 7);
    tick(&e);
    tick(&e);
    assert(e.door_open && e.floor == 4);
    assert(run_until_idle(&e, 100) == 12);
    assert(e.floor == 7);
    assert(e.direction == UP);
}

void test_people(void)
{
    Elevator e;
    elevator_init(&e, 4);
    assert(board(&e, 2) == 0);
    request(&e, 0);
    tick(&e);
    assert(board(&e, 3) == 3);
    assert(board(&e, 3) == 1);
    assert(e.load == 4);
    assert(leave(&e, 9) == 4);
    assert(e.load == 0);
    tick(&e);
    assert(leave(&e, 1) == 0);
}

int main(void)
{
    test_one_request();
    test_limits();
    test_keeps_direction();
    test_way_down();
    test_people();
    return 0;
}
