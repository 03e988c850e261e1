/* What a parcel costs: a decision table as code. */
#include <assert.h>
#include <stdbool.h>

typedef enum { ZONE_HOME, ZONE_EUROPE, ZONE_WORLD } Zone;

typedef struct {
    int grams;
    int length, width, height;   /* millimetres */
    Zone zone;
    bool insured;
    bool express;
    int value;                   /* in cents */
} Parcel;

enum { REFUSED = -1 };

static int girth(const Parcel *p)
{
    int a = p->length, b = p->width, c = p->height;
    int longest = a;

    if (b > longest)
        longest = b;
    if (c > longest)
        longest = c;
    return longest + 2 * (a + b + c - longest);
}

static bool fits(const Parcel *p)
{
    if (p->grams <= 0 || p->grams > 31500)
        return false;
    if (p->length > 1200 || p->width > 1200 || p->height > 1200)
        return false;
    return girth(p) <= 3000;
}

static int weight_class(int grams)
{
    if (grams <= 1000)
        return 0;
    if (grams <= 5000)
        return 1;
    if (grams <= 10000)
        return 2;
    return 3;
}

static int base_price(Zone zone, int class)
{
    static const int price[3][4] = {
        { 450, 650, 950, 1650 },
        { 950, 1450, 2050, 3900 },
        { 1650, 3100, 4400, 9900 },
    };
    return price[zone][class];
}

static int insurance(const Parcel *p)
{
    if (!p->insured)
        return 0;
    if (p->value <= 50000)
        return p->zone == ZONE_HOME ? 0 : 250;
    return 600 + (p->value - 50000) / 100;
}

/* Express is not offered outside of Europe, nor for heavy parcels. */
static bool can_express(const Parcel *p)
{
    return p->zone != ZONE_WORLD && (p->grams < 20000 || p->zone == ZONE_HOME);
}

int parcel_price(const Parcel *p, bool member)
{
    int price;
    bool bulky;

    if (!fits(p))
        return REFUSED;
    if (p->express && !can_express(p))
        return REFUSED;
    price = base_price(p->zone, weight_class(p->grams));
    bulky = girth(p) > 2000 || (p->grams < 2000 && girth(p) > 1500);
    if (bulky)
        price += 500;
    if (p->express)
        price += p->zone == ZONE_HOME ? 1200 : 2500;
    if (member && !p->express && price >= 900)
        price -= price / 10;
    return price + insurance(p);
}

static void test_home(void)
{
    Parcel p = { 800, 300, 200, 100, ZONE_HOME, false, false, 0 };
    assert(parcel_price(&p, false) == 450);
    p.grams = 1000;
    assert(parcel_price(&p, false) == 450);
    p.grams = 5001;
    assert(parcel_price(&p, false) == 950);
    p.grams = 31500;
    assert(parcel_price(&p, false) == 1650);
}

static void test_refused(void)
{
    Parcel p = { 31501, 300, 200, 100, ZONE_HOME, false, false, 0 };
    assert(parcel_price(&p, false) == REFUSED);
    p.grams = 500;
    p.height = 1201;
    assert(parcel_price(&p, false) == REFUSED);
    p.height = 1200;
    p.length = 700;
    assert(parcel_price(&p, false) == 950);
    p.length = 701;
    assert(parcel_price(&p, false) == REFUSED);
    p.grams = 0;
    assert(parcel_price(&p, false) == REFUSED);
}

static void test_express(void)
{
    Parcel p = { 20000, 400, 300, 200, ZONE_EUROPE, false, true, 0 };
    assert(parcel_price(&p, false) == REFUSED);
    p.zone = ZONE_HOME;
    assert(parcel_price(&p, false) == 2850);
    assert(parcel_price(&p, true) == 2850);
    p.zone = ZONE_WORLD;
    p.grams = 100;
    assert(parcel_price(&p, false) == REFUSED);
    p.zone = ZONE_EUROPE;
    assert(parcel_price(&p, false) == 3450);
}

static void test_bulky(void)
{
    Parcel p = { 2000, 800, 200, 200, ZONE_EUROPE, false, false, 0 };
    assert(parcel_price(&p, false) == 1450);
    p.grams = 1999;
    assert(parcel_price(&p, false) == 1950);
    p.width = 400;
    p.grams = 3000;
    assert(parcel_price(&p, false) == 1450);
    p.width = 401;
    assert(parcel_price(&p, false) == 1950);
}

static void test_insured(void)
{
    Parcel p = { 500, 300, 200, 100, ZONE_HOME, true, false, 50000 };
    assert(parcel_price(&p, false) == 450);
    p.zone = ZONE_WORLD;
    assert(parcel_price(&p, false) == 1900);
    p.value = 60000;
    assert(parcel_price(&p, false) == 2350);
}

static void test_member(void)
{
    Parcel p = { 6000, 300, 200, 100, ZONE_HOME, false, false, 0 };
    assert(parcel_price(&p, true) == 855);
    p.grams = 900;
    assert(parcel_price(&p, true) == 450);
}

int main(void)
{
    test_home();
    test_refused();
    test_express();
    test_bulky();
    test_insured();
    test_member();
    return 0;
}
