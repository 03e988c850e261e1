/* Rules of an emergency department: how urgent is a patient, and who comes first. */
#include <assert.h>
#include <stdbool.h>

enum level { IMMEDIATE = 1, VERY_URGENT, URGENT, STANDARD, NOT_URGENT };

struct patient {
	int age;
	int pulse;
	int systolic;
	int temperature;	/* tenths of a degree */
	int pain;		/* 0 to 10 */
	int oxygen;		/* percent */
	bool conscious;
	bool pregnant;
	int arrived;		/* minute of the day */
};

static bool is_child(const struct patient *p)
{
	return p->age < 16;
}

static int pulse_limit(const struct patient *p)
{
	if (p->age < 2)
		return 180;
	if (is_child(p))
		return 150;
	return 130;
}

static bool in_shock(const struct patient *p)
{
	int lowest = is_child(p) ? 70 + 2 * p->age : 90;

	if (lowest > 90)
		lowest = 90;
	return p->systolic < lowest && p->pulse > 100;
}

static int vital_points(const struct patient *p)
{
	int points = 0;

	if (p->oxygen < 90)
		points += 3;
	else if (p->oxygen < 94)
		points += 1;
	if (p->pulse > pulse_limit(p) || p->pulse < 40)
		points += 2;
	if (p->temperature >= 395 || p->temperature < 350)
		points += 2;
	else if (p->temperature >= 385)
		points += 1;
	if (p->systolic >= 180)
		points++;
	return points;
}

static enum level assess(const struct patient *p)
{
	int points;

	if (!p->conscious || in_shock(p))
		return IMMEDIATE;
	points = vital_points(p);
	if (points >= 5)
		return IMMEDIATE;
	if (points >= 3 || (p->pain >= 8 && (p->pregnant || is_child(p))))
		return VERY_URGENT;
	if (points >= 2 || p->pain >= 8)
		return URGENT;
	if (points == 1 || p->pain >= 4 || p->age >= 80)
		return STANDARD;
	return NOT_URGENT;
}

static int longest_wait(enum level l)
{
	static const int minutes[] = { 0, 0, 10, 30, 90, 120 };
	return minutes[l];
}

static bool overdue(const struct patient *p, int now)
{
	return now - p->arrived > longest_wait(assess(p));
}

/* Overdue ones first, then by level, then by arrival. */
static bool before(const struct patient *a, const struct patient *b, int now)
{
	bool late_a = overdue(a, now), late_b = overdue(b, now);

	if (assess(a) == IMMEDIATE || assess(b) == IMMEDIATE)
		return assess(a) < assess(b);
	if (late_a != late_b)
		return late_a;
	if (assess(a) != assess(b))
		return assess(a) < assess(b);
	return a->arrived < b->arrived;
}

static int next_patient(const struct patient *list, int n, int now)
{
	int first = -1;
	for (int i = 0; i < n; i++)
		if (first < 0 || before(&list[i], &list[first], now))
			first = i;
	return first;
}

static const struct patient healthy = { 30, 70, 120, 368, 0, 98, true, false, 600 };

void test_normal(void)
{
	struct patient p = healthy;
	assert(assess(&p) == NOT_URGENT);
	p.pain = 4;
	assert(assess(&p) == STANDARD);
	p.pain = 8;
	assert(assess(&p) == URGENT);
	p.pregnant = true;
	assert(assess(&p) == VERY_URGENT);
	p = healthy;
	p.age = 80;
	assert(assess(&p) == STANDARD);
}

void test_shock(void)
{
	struct patient p = healthy;
	p.systolic = 89;
	p.pulse = 101;
	assert(assess(&p) == IMMEDIATE);
	p.systolic = 90;
	assert(assess(&p) == NOT_URGENT);
	p.age = 5;
	p.systolic = 80;
	assert(assess(&p) == NOT_URGENT);
	p.systolic = 79;
	assert(assess(&p) == IMMEDIATE);
	p.age = 15;
	p.systolic = 89;
	assert(assess(&p) == IMMEDIATE);
	p = healthy;
	p.conscious = false;
	assert(assess(&p) == IMMEDIATE);
}

void test_points(void)
{
	struct patient p = healthy;
	p.oxygen = 93;
	assert(vital_points(&p) == 1);
	p.oxygen = 89;
	assert(vital_points(&p) == 3);
	p.temperature = 395;
	assert(vital_points(&p) == 5);
	assert(assess(&p) == IMMEDIATE);
	p = healthy;
	p.temperature = 385;
	p.systolic = 180;
	assert(vital_points(&p) == 2);
	assert(assess(&p) == URGENT);
	p.temperature = 349;
	assert(vital_points(&p) == 3);
}

void test_pulse(void)
{
	struct patient p = healthy;
	p.pulse = 131;
	assert(assess(&p) == URGENT);
	p.age = 15;
	assert(assess(&p) == NOT_URGENT);
	p.pulse = 151;
	assert(assess(&p) == URGENT);
	p.age = 1;
	assert(assess(&p) == NOT_URGENT);
	p.pulse = 39;
	assert(assess(&p) == URGENT);
}

void test_queue(void)
{
	struct patient list[3] = { healthy, healthy, healthy };
	list[1].arrived = 590;
	assert(next_patient(list, 3, 610) == 1);
	list[2].pain = 9;
	assert(next_patient(list, 3, 610) == 2);
	assert(next_patient(list, 3, 711) == 2);
	list[2].pain = 5;
	list[2].arrived = 700;
	assert(next_patient(list, 3, 711) == 1);
	assert(next_patient(list, 3, 710) == 2);
	list[0].conscious = false;
	assert(next_patient(list, 3, 711) == 0);
	assert(next_patient(list, 0, 0) == -1);
}

int main(void)
{
	test_normal();
	test_shock();
	test_points();
	test_pulse();
	test_queue();
	return 0;
}
