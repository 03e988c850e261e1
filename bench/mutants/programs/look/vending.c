/* A vending machine: coins, products, change. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum state { IDLE, COLLECTING, VENDING, OUT_OF_ORDER };
enum event { EV_COIN, EV_SELECT, EV_CANCEL, EV_TILT };

#define SLOTS 3
#define COIN_KINDS 4
#define MAX_CREDIT 500

static const int coin_values[COIN_KINDS] = { 200, 100, 50, 10 };

struct machine {
    enum state state;
    int credit;
    int price[SLOTS];
    int stock[SLOTS];
    int coins[COIN_KINDS];
    int sold;
    int last_change;
};

static void machine_init(struct machine *m)
{
    memset(m, 0, sizeof *m);
    m->state = IDLE;
    for (int i = 0; i < SLOTS; i++) {
        m->price[i] = 80 + 60 * i;
        m->stock[i] = 2;
    }
    for (int i = 0; i < COIN_KINDS; i++)
        m->coins[i] = 5;
}

static int coin_index(int value)
{
    for (int i = 0; i < COIN_KINDS; i++)
        if (coin_values[i] == value)
            return i;
    return -1;
}

/* Pays out as much as the coins allow, largest first; returns what could not be paid. */
static int pay_out(struct machine *m, int amount)
{
    m->last_change = 0;
    for (int i = 0; i < COIN_KINDS; i++) {
        while (amount >= coin_values[i] && m->coins[i] > 0) {
            amount -= coin_values[i];
            m->last_change += coin_values[i];
            m->coins[i]--;
        }
    }
    return amount;
}

static bool insert_coin(struct machine *m, int value)
{
    int i = coin_index(value);
    if (i < 0 || m->credit + value > MAX_CREDIT)
        return false;
    m->coins[i]++;
    m->credit += value;
    return true;
}

static bool select_slot(struct machine *m, int slot)
{
    if (slot < 0 || slot >= SLOTS || m->stock[slot] == 0)
        return false;
    if (m->credit < m->price[slot])
        return false;
    m->stock[slot]--;
    m->credit -= m->price[slot];
    m->sold++;
    return true;
}

static bool handle(struct machine *m, enum event ev, int arg)
{
    switch (ev) {
    case EV_COIN:
        if (m->state != IDLE && m->state != COLLECTING)
            return false;
        if (!insert_coin(m, arg))
            return false;
        m->state = COLLECTING;
        return true;
    case EV_SELECT:
        if (m->state != COLLECTING || !select_slot(m, arg))
            return false;
        m->state = VENDING;
        m->credit = pay_out(m, m->credit);
        m->state = m->credit == 0 ? IDLE : OUT_OF_ORDER;
        return true;
    case EV_CANCEL:
        if (m->state != COLLECTING)
            return false;
        m->credit = pay_out(m, m->credit);
        m->state = IDLE;
        return true;
    case EV_TILT:
        m->state = OUT_OF_ORDER;
        break;
    }
    return false;
}

void test_buy(void)
{
    struct machine m;
    machine_init(&m);
    assert(handle(&m, EV_COIN, 100));
    assert(m.state == COLLECTING);
    assert(handle(&m, EV_SELECT, 0));
    assert(m.last_change == 20);
    assert(m.stock[0] == 1);
    assert(m.state == IDLE);
    assert(m.sold == 1);
}

void test_not_enough(void)
{
    struct machine m;
    machine_init(&m);
    handle(&m, EV_COIN, 100);
    assert(!handle(&m, EV_SELECT, 1));
    assert(m.credit == 100);
    handle(&m, EV_COIN, 50);
    assert(handle(&m, EV_SELECT, 1));
    assert(m.last_change == 10);
}

void test_sold_out(void)
{
    struct machine m;
    machine_init(&m);
    for (int i = 0; i < 2; i++) {
        handle(&m, EV_COIN, 200);
        assert(handle(&m, EV_SELECT, 2));
    }
    handle(&m, EV_COIN, 200);
    assert(!handle(&m, EV_SELECT, 2));
    assert(!handle(&m, EV_SELECT, 3));
    assert(handle(&m, EV_CANCEL, 0));
    assert(m.last_change == 200);
    assert(m.credit == 0 && m.state == IDLE);
}

void test_coins(void)
{
    struct machine m;
    machine_init(&m);
    assert(!handle(&m, EV_COIN, 20));
    assert(m.state == IDLE);
    assert(handle(&m, EV_COIN, 200));
    assert(handle(&m, EV_COIN, 200));
    assert(!handle(&m, EV_COIN, 200));
    assert(handle(&m, EV_COIN, 100));
    assert(m.credit == 500);
    assert(m.coins[0] == 7);
}

void test_no_change(void)
{
    struct machine m;
    machine_init(&m);
    m.coins[3] = 1;
    assert(handle(&m, EV_COIN, 100));
    assert(handle(&m, EV_SELECT, 0));
    assert(m.state == OUT_OF_ORDER);
    assert(m.last_change == 10);
    assert(!handle(&m, EV_COIN, 10));
    assert(!handle(&m, EV_CANCEL, 0));
}

void test_tilt(void)
{
    struct machine m;
    machine_init(&m);
    handle(&m, EV_TILT, 0);
    assert(m.state == OUT_OF_ORDER);
    assert(!handle(&m, EV_COIN, 50));
    assert(m.credit == 0);
}

int main(void)
{
    test_buy();
    test_not_enough();
    test_sold_out();
    test_coins();
    test_no_change();
    test_tilt();
    return 0;
}
