/* Accounts, transfers, interest and a journal. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_ACCOUNTS 8
#define MAX_JOURNAL 32

typedef enum { OK, NO_ACCOUNT, NO_FUNDS, BAD_AMOUNT, LOCKED } Result;
typedef enum { DEPOSIT, WITHDRAW, TRANSFER, INTEREST } Kind;

typedef struct {
  int number;
  long balance;
  long overdraft;
  int locked;
} Account;

typedef struct {
  Kind kind;
  int from, to;
  long amount;
} Entry;

typedef struct {
  Account accounts[MAX_ACCOUNTS];
  int n_accounts;
  Entry journal[MAX_JOURNAL];
  int n_journal;
} Bank;

static void bank_init(Bank *b) { memset(b, 0, sizeof *b); }

static int bank_open(Bank *b, long overdraft) {
  Account *a;
  if (b->n_accounts == MAX_ACCOUNTS)
    return 0;
  a = &b->accounts[b->n_accounts++];
  a->number = 1000 + b->n_accounts;
  a->balance = 0;
  a->overdraft = overdraft;
  a->locked = 0;
  return a->number;
}

static Account *bank_find(Bank *b, int number) {
  for (int i = 0; i < b->n_accounts; i++)
    if (b->accounts[i].number == number)
      return &b->accounts[i];
  return NULL;
}

static void note(Bank *b, Kind kind, int from, int to, long amount) {
  if (b->n_journal < MAX_JOURNAL) {
    Entry *e = &b->journal[b->n_journal];
    e->kind = kind;
    e->from = from;
    e->to = to;
    e->amount = amount;
    b->n_journal++;
  }
}

static Result deposit(Bank *b, int number, long amount) {
  Account *a = bank_find(b, number);
  if (!a)
    return NO_ACCOUNT;
  if (amount <= 0)
    return BAD_AMOUNT;
  a->balance += amount;
  note(b, DEPOSIT, 0, number, amount);
  return OK;
}

static Result take(Account *a, long amount) {
  if (a->locked)
    return LOCKED;
  if (amount <= 0)
    return BAD_AMOUNT;
  if (a->balance + a->overdraft < amount)
    return NO_FUNDS;
  a->balance -= amount;
  return OK;
}

static Result withdraw(Bank *b, int number, long amount) {
  Account *a = bank_find(b, number);
  Result r;
  if (!a)
    return NO_ACCOUNT;
  r = take(a, amount);
  if (r == OK)
    note(b, WITHDRAW, number, 0, amount);
  return r;
}

static Result transfer(Bank *b, int from, int to, long amount) {
  Account *source = bank_find(b, from), *target = bank_find(b, to);
  Result r;
  if (!source || !target)
    return NO_ACCOUNT;
  r = take(source, amount);
  if (r != OK)
    return r;
  target->balance += amount;
  note(b, TRANSFER, from, to, amount);
  return OK;
}

/* Yearly interest in percent: 2 for savings up to 10000, 1 for what is above; debts cost 12. */
static void add_interest(Bank *b) {
  for (int i = 0; i < b->n_accounts; i++) {
    Account *a = &b->accounts[i];
    long interest;
    if (a->balance < 0)
      interest = a->balance * 12 / 100;
    else if (a->balance <= 10000)
      interest = a->balance * 2 / 100;
    else
      interest = 200 + (a->balance - 10000) / 100;
    if (interest != 0) {
      a->balance += interest;
      note(b, INTEREST, 0, a->number, interest);
    }
  }
}

/* The balance as the journal has it. */
static long audit(const Bank *b, int number) {
  long sum = 0;
  for (int i = 0; i < b->n_journal; i++) {
    const Entry *e = &b->journal[i];
    if (e->to == number)
      sum += e->amount;
    if (e->from == number)
      sum -= e->amount;
  }
  return sum;
}

static void test_deposit(void) {
  Bank b;
  bank_init(&b);
  int a = bank_open(&b, 0);
  assert(a == 1001);
  assert(deposit(&b, a, 500) == OK);
  assert(deposit(&b, a, 0) == BAD_AMOUNT);
  assert(deposit(&b, 77, 5) == NO_ACCOUNT);
  assert(bank_find(&b, a)->balance == 500);
  assert(b.n_journal == 1);
}

static void test_withdraw(void) {
  Bank b;
  bank_init(&b);
  int a = bank_open(&b, 100);
  deposit(&b, a, 50);
  assert(withdraw(&b, a, 151) == NO_FUNDS);
  assert(withdraw(&b, a, 150) == OK);
  assert(bank_find(&b, a)->balance == -100);
  assert(withdraw(&b, a, -5) == BAD_AMOUNT);
  bank_find(&b, a)->locked = 1;
  assert(withdraw(&b, a, 1) == LOCKED);
}

static void test_transfer(void) {
  Bank b;
  bank_init(&b);
  int a = bank_open(&b, 0), c = bank_open(&b, 0);
  deposit(&b, a, 300);
  assert(transfer(&b, a, c, 120) == OK);
  assert(transfer(&b, a, c, 200) == NO_FUNDS);
  assert(transfer(&b, a, 5, 1) == NO_ACCOUNT);
  assert(bank_find(&b, a)->balance == 180);
  assert(bank_find(&b, c)->balance == 120);
  assert(b.journal[1].kind == TRANSFER && b.journal[1].to == c);
}

static void test_interest(void) {
  Bank b;
  bank_init(&b);
  int a = bank_open(&b, 1000), c = bank_open(&b, 0), d = bank_open(&b, 0);
  withdraw(&b, a, 1000);
  deposit(&b, c, 10000);
  deposit(&b, d, 15000);
  add_interest(&b);
  assert(bank_find(&b, a)->balance == -1120);
  assert(bank_find(&b, c)->balance == 10200);
  assert(bank_find(&b, d)->balance == 15250);
}

static void test_audit(void) {
  Bank b;
  bank_init(&b);
  int a = bank_open(&b, 0), c = bank_open(&b, 0);
  deposit(&b, a, 1000);
  transfer(&b, a, c, 400);
  withdraw(&b, a, 100);
  add_interest(&b);
  assert(audit(&b, a) == bank_find(&b, a)->balance);
  assert(audit(&b, c) == 408);
  for (int i = 0; i < 6; i++)
    assert(bank_open(&b, 0) != 0);
  assert(bank_open(&b, 0) == 0);
}

int main(void) {
  test_deposit();
  test_withdraw();
  test_transfer();
  test_interest();
  test_audit();
  printf("bank: all tests passed\n");
  return 0;
}
