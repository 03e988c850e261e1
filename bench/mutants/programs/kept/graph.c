/* Weighted directed graphs: shortest ways, topological order, components. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#define MAX_NODES 10
#define INFINITE INT_MAX

struct edge {
  int to, weight;
  struct edge *next;
};

struct graph {
  int n;
  struct edge *out[MAX_NODES];
};

static void graph_init(struct graph *g, int n) {
  g->n = n;
  for (int i = 0; i < MAX_NODES; i++)
    g->out[i] = NULL;
}

static void graph_add(struct graph *g, int from, int to, int weight) {
  struct edge *e = malloc(sizeof *e);
  e->to = to;
  e->weight = weight;
  e->next = g->out[from];
  g->out[from] = e;
}

static void graph_free(struct graph *g) {
  for (int i = 0; i < g->n; i++) {
    while (g->out[i]) {
      struct edge *e = g->out[i];
      g->out[i] = e->next;
      free(e);
    }
  }
}

static int nearest(const int *distance, const int *done, int n) {
  int best = -1;
  for (int i = 0; i < n; i++) {
    if (done[i] || distance[i] == INFINITE)
      continue;
    if (best < 0 || distance[i] < distance[best])
      best = i;
  }
  return best;
}

static void dijkstra(const struct graph *g, int from, int *distance, int *previous) {
  int done[MAX_NODES] = {0};
  for (int i = 0; i < g->n; i++) {
    distance[i] = INFINITE;
    previous[i] = -1;
  }
  distance[from] = 0;
  for (;;) {
    int u = nearest(distance, done, g->n);
    if (u < 0)
      break;
    done[u] = 1;
    for (const struct edge *e = g->out[u]; e; e = e->next) {
      int through = distance[u] + e->weight;
      if (through < distance[e->to]) {
        distance[e->to] = through;
        previous[e->to] = u;
      }
    }
  }
}

/* The nodes on the way, first to last; returns how many. */
static int way(const int *previous, int to, int *nodes) {
  int n = 0;
  for (int at = to; at >= 0; at = previous[at])
    nodes[n++] = at;
  for (int i = 0; i < n / 2; i++) {
    int t = nodes[i];
    nodes[i] = nodes[n - 1 - i];
    nodes[n - 1 - i] = t;
  }
  return n;
}

/* Kahn's algorithm; returns how many nodes could be ordered. */
static int topological(const struct graph *g, int *order) {
  int incoming[MAX_NODES] = {0};
  int head = 0, tail = 0;
  for (int i = 0; i < g->n; i++)
    for (const struct edge *e = g->out[i]; e; e = e->next)
      incoming[e->to]++;
  for (int i = 0; i < g->n; i++)
    if (incoming[i] == 0)
      order[tail++] = i;
  while (head < tail) {
    int u = order[head++];
    for (const struct edge *e = g->out[u]; e; e = e->next)
      if (--incoming[e->to] == 0)
        order[tail++] = e->to;
  }
  return tail;
}

static int parent[MAX_NODES];

static int root_of(int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

/* Number of parts that hang together when directions are ignored. */
static int components(const struct graph *g) {
  int count = g->n;
  for (int i = 0; i < g->n; i++)
    parent[i] = i;
  for (int i = 0; i < g->n; i++)
    for (const struct edge *e = g->out[i]; e; e = e->next) {
      int a = root_of(i), b = root_of(e->to);
      if (a != b) {
        parent[a] = b;
        count--;
      }
    }
  return count;
}

static int reachable(const struct graph *g, int from, int to, int *seen) {
  if (from == to)
    return 1;
  seen[from] = 1;
  for (const struct edge *e = g->out[from]; e; e = e->next)
    if (!seen[e->to] && reachable(g, e->to, to, seen))
      return 1;
  return 0;
}

static void test_shortest(void) {
  struct graph g;
  int d[MAX_NODES], p[MAX_NODES];
  graph_init(&g, 5);
  graph_add(&g, 0, 1, 10);
  graph_add(&g, 0, 2, 3);
  graph_add(&g, 2, 1, 4);
  graph_add(&g, 1, 3, 2);
  graph_add(&g, 2, 3, 8);
  dijkstra(&g, 0, d, p);
  assert(d[0] == 0);
  assert(d[1] == 7);
  assert(d[3] == 9);
  assert(d[4] == INFINITE);
  assert(p[4] == -1 && p[1] == 2);
  graph_free(&g);
}

static void test_way(void) {
  struct graph g;
  int d[MAX_NODES], p[MAX_NODES], nodes[MAX_NODES];
  graph_init(&g, 4);
  graph_add(&g, 0, 3, 9);
  graph_add(&g, 0, 2, 1);
  graph_add(&g, 2, 1, 1);
  graph_add(&g, 1, 3, 1);
  dijkstra(&g, 0, d, p);
  assert(way(p, 3, nodes) == 4);
  assert(nodes[0] == 0 && nodes[1] == 2);
  assert(nodes[2] == 1 && nodes[3] == 3);
  graph_free(&g);
}

static void test_topological(void) {
  struct graph g;
  int order[MAX_NODES], at[MAX_NODES];
  graph_init(&g, 5);
  graph_add(&g, 3, 1, 1);
  graph_add(&g, 1, 0, 1);
  graph_add(&g, 4, 0, 1);
  graph_add(&g, 3, 4, 1);
  assert(topological(&g, order) == 5);
  for (int i = 0; i < 5; i++)
    at[order[i]] = i;
  assert(at[3] < at[1] && at[1] < at[0] && at[4] < at[0]);
  graph_add(&g, 0, 3, 1);
  assert(topological(&g, order) == 1);
  assert(order[0] == 2);
  graph_free(&g);
}

static void test_components(void) {
  struct graph g;
  graph_init(&g, 6);
  assert(components(&g) == 6);
  graph_add(&g, 0, 1, 1);
  graph_add(&g, 2, 1, 1);
  graph_add(&g, 4, 5, 1);
  graph_add(&g, 5, 4, 1);
  assert(components(&g) == 3);
  assert(root_of(0) == root_of(2));
  assert(root_of(3) != root_of(4));
  graph_free(&g);
}

static void test_reachable(void) {
  struct graph g;
  int seen[MAX_NODES] = {0}, again[MAX_NODES] = {0};
  graph_init(&g, 5);
  graph_add(&g, 0, 1, 1);
  graph_add(&g, 1, 2, 1);
  graph_add(&g, 2, 0, 1);
  graph_add(&g, 3, 4, 1);
  assert(reachable(&g, 0, 2, seen));
  assert(!reachable(&g, 1, 4, again));
  graph_free(&g);
}

int main(void) {
  test_shortest();
  test_way();
  test_topological();
  test_components();
  test_reachable();
  return 0;
}
