/* Round robin scheduler with priorities and sleeping tasks. */
#include <assert.h>
#include <stddef.h>

#define MAX_TASKS 5
#define QUANTUM 3

typedef enum { READY, RUNNING, SLEEPING, DONE } status_t;

typedef struct {
    int id;
    int remaining;
    int priority;     /* larger is more urgent */
    int wake_at;
    int waited;
    int finished_at;
    status_t status;
} task_t;

typedef struct {
    task_t tasks[MAX_TASKS];
    int count;
    int now;
    int last;         /* index of the task that ran last */
    int switches;
} sched_t;

static void sched_init(sched_t *s)
{
    s->count = 0;
    s->now = 0;
    s->last = -1;
    s->switches = 0;
}

static task_t *sched_add(sched_t *s, int work, int priority)
{
    if (s->count == MAX_TASKS)
        return NULL;
    task_t *t = &s->tasks[s->count];
    t->id = s->count++;
    t->remaining = work;
    t->priority = priority;
    t->wake_at = 0;
    t->waited = 0;
    t->finished_at = -1;
    t->status = READY;
    return t;
}

static void wake_sleepers(sched_t *s)
{
    for (int i = 0; i < s->count; i++) {
        task_t *t = &s->tasks[i];
        if (t->status == SLEEPING && t->wake_at <= s->now)
            t->status = READY;
    }
}

/* The most urgent ready task; among equals the one after the last, in turn. */
static int pick(const sched_t *s)
{
    int best = -1;
    for (int k = 1; k <= s->count; k++) {
        int i = (s->last + k) % s->count;
        if (s->tasks[i].status != READY)
            continue;
        if (best < 0 || s->tasks[i].priority > s->tasks[best].priority)
            best = i;
    }
    return best;
}

static void account_waiting(sched_t *s, int ticks, int running)
{
    for (int i = 0; i < s->count; i++)
        if (i != running && s->tasks[i].status == READY)
            s->tasks[i].waited += ticks;
}

/* Runs one slice; 0 when nothing is ready. */
static int run_slice(sched_t *s)
{
    wake_sleepers(s);
    int i = pick(s);
    if (i < 0)
        return 0;
    task_t *t = &s->tasks[i];
    int ticks = t->remaining < QUANTUM ? t->remaining : QUANTUM;
    if (i != s->last)
        s->switches++;
    t->status = RUNNING;
    account_waiting(s, ticks, i);
    s->now += ticks;
    t->remaining -= ticks;
    s->last = i;
    if (t->remaining == 0) {
        t->status = DONE;
        t->finished_at = s->now;
    } else {
        t->status = READY;
    }
    return 1;
}

static void sleep_until(sched_t *s, int id, int when)
{
    if (when > s->now && s->tasks[id].status == READY) {
        s->tasks[id].wake_at = when;
        s->tasks[id].status = SLEEPING;
    }
}

static int run_all(sched_t *s)
{
    int slices = 0;
    for (;;) {
        int sleeping = 0;
        if (run_slice(s)) {
            slices++;
            continue;
        }
        for (int i = 0; i < s->count; i++)
            if (s->tasks[i].status == SLEEPING)
                sleeping = 1;
        if (!sleeping)
            return slices;
        s->now++;
    }
}

static void test_single(void)
{
    sched_t s;
    sched_init(&s);
    task_t *t = sched_add(&s, 7, 1);
    assert(run_all(&s) == 3);
    assert(t->finished_at == 7);
    assert(t->waited == 0);
    assert(s.switches == 1);
}

static void test_turns(void)
{
    sched_t s;
    sched_init(&s);
    sched_add(&s, 6, 1);
    sched_add(&s, 4, 1);
    sched_add(&s, 2, 1);
    assert(run_all(&s) == 5);
    assert(s.tasks[2].finished_at == 8);
    assert(s.tasks[0].finished_at == 11);
    assert(s.tasks[1].finished_at == 12);
    assert(s.tasks[0].waited == 5);
    assert(s.tasks[2].waited == 6);
    assert(s.switches == 5);
}

static void test_priority(void)
{
    sched_t s;
    sched_init(&s);
    sched_add(&s, 5, 1);
    sched_add(&s, 5, 9);
    assert(run_slice(&s));
    assert(s.last == 1);
    run_all(&s);
    assert(s.tasks[1].finished_at == 5);
    assert(s.tasks[0].finished_at == 10);
    assert(s.tasks[0].waited == 5);
}

static void test_sleep(void)
{
    sched_t s;
    sched_init(&s);
    sched_add(&s, 3, 5);
    sched_add(&s, 3, 1);
    sleep_until(&s, 0, 10);
    assert(run_all(&s) == 2);
    assert(s.tasks[1].finished_at == 3);
    assert(s.tasks[0].finished_at == 13);
    assert(s.tasks[0].waited == 0);
}

static void test_full(void)
{
    sched_t s;
    sched_init(&s);
    for (int i = 0; i < MAX_TASKS; i++)
        assert(sched_add(&s, 1, i)->id == i);
    assert(sched_add(&s, 1, 1) == NULL);
    assert(run_all(&s) == 5);
    assert(s.tasks[4].finished_at == 1);
    assert(s.tasks[0].finished_at == 5);
}

int main(void)
{
    test_single();
    test_turns();
    test_priority();
    test_sleep();
    test_full();
    return 0;
}
