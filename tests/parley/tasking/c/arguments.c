// Every number of arguments from 0 to 16, for tasks, children and futures.
#include "check.h"
#include "tasking.h"
#include "words.h"

static int sum_0(void) { return 0; }
ASYNC_DECL(int, sum_0);
FUTURE_DECL(int, sum_0);
static int seen_0;
static void keep_0(void) { seen_0 = 0; }
ASYNC_VOID_DECL(keep_0);
FUTURE_VOID_DECL(keep_0);

static int sum_1(int a) { return 1 * a; }
ASYNC_DECL(int, sum_1, int a, a);
FUTURE_DECL(int, sum_1, int a, a);
static int seen_1;
static void keep_1(int a) { seen_1 = 1 * a; }
ASYNC_VOID_DECL(keep_1, int a, a);
FUTURE_VOID_DECL(keep_1, int a, a);

static int sum_2(int a, int b) { return 1 * a + 2 * b; }
ASYNC_DECL(int, sum_2, int a; int b, a, b);
FUTURE_DECL(int, sum_2, int a; int b, a, b);
static int seen_2;
static void keep_2(int a, int b) { seen_2 = 1 * a + 2 * b; }
ASYNC_VOID_DECL(keep_2, int a; int b, a, b);
FUTURE_VOID_DECL(keep_2, int a; int b, a, b);

static int sum_3(int a, int b, int c) { return 1 * a + 2 * b + 3 * c; }
ASYNC_DECL(int, sum_3, int a; int b; int c, a, b, c);
FUTURE_DECL(int, sum_3, int a; int b; int c, a, b, c);
static int seen_3;
static void keep_3(int a, int b, int c) { seen_3 = 1 * a + 2 * b + 3 * c; }
ASYNC_VOID_DECL(keep_3, int a; int b; int c, a, b, c);
FUTURE_VOID_DECL(keep_3, int a; int b; int c, a, b, c);

static int sum_4(int a, int b, int c, int d) { return 1 * a + 2 * b + 3 * c + 4 * d; }
ASYNC_DECL(int, sum_4, int a; int b; int c; int d, a, b, c, d);
FUTURE_DECL(int, sum_4, int a; int b; int c; int d, a, b, c, d);
static int seen_4;
static void keep_4(int a, int b, int c, int d) { seen_4 = 1 * a + 2 * b + 3 * c + 4 * d; }
ASYNC_VOID_DECL(keep_4, int a; int b; int c; int d, a, b, c, d);
FUTURE_VOID_DECL(keep_4, int a; int b; int c; int d, a, b, c, d);

static int sum_5(int a, int b, int c, int d, int e) { return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e; }
ASYNC_DECL(int, sum_5, int a; int b; int c; int d; int e, a, b, c, d, e);
FUTURE_DECL(int, sum_5, int a; int b; int c; int d; int e, a, b, c, d, e);
static int seen_5;
static void keep_5(int a, int b, int c, int d, int e) { seen_5 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e; }
ASYNC_VOID_DECL(keep_5, int a; int b; int c; int d; int e, a, b, c, d, e);
FUTURE_VOID_DECL(keep_5, int a; int b; int c; int d; int e, a, b, c, d, e);

static int sum_6(int a, int b, int c, int d, int e, int f) { return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f; }
ASYNC_DECL(int, sum_6, int a; int b; int c; int d; int e; int f, a, b, c, d, e, f);
FUTURE_DECL(int, sum_6, int a; int b; int c; int d; int e; int f, a, b, c, d, e, f);
static int seen_6;
static void keep_6(int a, int b, int c, int d, int e, int f) { seen_6 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f; }
ASYNC_VOID_DECL(keep_6, int a; int b; int c; int d; int e; int f, a, b, c, d, e, f);
FUTURE_VOID_DECL(keep_6, int a; int b; int c; int d; int e; int f, a, b, c, d, e, f);

static int sum_7(int a, int b, int c, int d, int e, int f, int g) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
}
ASYNC_DECL(int, sum_7, int a; int b; int c; int d; int e; int f; int g, a, b, c, d, e, f, g);
FUTURE_DECL(int, sum_7, int a; int b; int c; int d; int e; int f; int g, a, b, c, d, e, f, g);
static int seen_7;
static void keep_7(int a, int b, int c, int d, int e, int f, int g) {
    seen_7 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
}
ASYNC_VOID_DECL(keep_7, int a; int b; int c; int d; int e; int f; int g, a, b, c, d, e, f, g);
FUTURE_VOID_DECL(keep_7, int a; int b; int c; int d; int e; int f; int g, a, b, c, d, e, f, g);

static int sum_8(int a, int b, int c, int d, int e, int f, int g, int h) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
ASYNC_DECL(int, sum_8, int a; int b; int c; int d; int e; int f; int g; int h, a, b, c, d, e, f, g, h);
FUTURE_DECL(int, sum_8, int a; int b; int c; int d; int e; int f; int g; int h, a, b, c, d, e, f, g, h);
static int seen_8;
static void keep_8(int a, int b, int c, int d, int e, int f, int g, int h) {
    seen_8 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}
ASYNC_VOID_DECL(keep_8, int a; int b; int c; int d; int e; int f; int g; int h, a, b, c, d, e, f, g, h);
FUTURE_VOID_DECL(keep_8, int a; int b; int c; int d; int e; int f; int g; int h, a, b, c, d, e, f, g, h);

static int sum_9(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}
ASYNC_DECL(int, sum_9, int a; int b; int c; int d; int e; int f; int g; int h; int i, a, b, c, d, e, f, g, h, i);
FUTURE_DECL(int, sum_9, int a; int b; int c; int d; int e; int f; int g; int h; int i, a, b, c, d, e, f, g, h, i);
static int seen_9;
static void keep_9(int a, int b, int c, int d, int e, int f, int g, int h, int i) {
    seen_9 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}
ASYNC_VOID_DECL(keep_9, int a; int b; int c; int d; int e; int f; int g; int h; int i, a, b, c, d, e, f, g, h, i);
FUTURE_VOID_DECL(keep_9, int a; int b; int c; int d; int e; int f; int g; int h; int i, a, b, c, d, e, f, g, h, i);

static int sum_10(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
ASYNC_DECL(int, sum_10, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j, a, b, c, d, e, f, g, h, i, j);
FUTURE_DECL(int, sum_10, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j, a, b, c, d, e, f, g, h, i, j);
static int seen_10;
static void keep_10(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j) {
    seen_10 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j;
}
ASYNC_VOID_DECL(keep_10, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j, a, b, c, d, e, f, g, h, i, j);
FUTURE_VOID_DECL(keep_10, int a; int b; int c; int d; int e; int f; int g; int h; int i;
                 int j, a, b, c, d, e, f, g, h, i, j);

static int sum_11(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k;
}
ASYNC_DECL(int, sum_11, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j;
           int k, a, b, c, d, e, f, g, h, i, j, k);
FUTURE_DECL(int, sum_11, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j;
            int k, a, b, c, d, e, f, g, h, i, j, k);
static int seen_11;
static void keep_11(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k) {
    seen_11 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k;
}
ASYNC_VOID_DECL(keep_11, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j;
                int k, a, b, c, d, e, f, g, h, i, j, k);
FUTURE_VOID_DECL(keep_11, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j;
                 int k, a, b, c, d, e, f, g, h, i, j, k);

static int sum_12(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l;
}
ASYNC_DECL(int, sum_12, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k;
           int l, a, b, c, d, e, f, g, h, i, j, k, l);
FUTURE_DECL(int, sum_12, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k;
            int l, a, b, c, d, e, f, g, h, i, j, k, l);
static int seen_12;
static void keep_12(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l) {
    seen_12 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l;
}
ASYNC_VOID_DECL(keep_12, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k;
                int l, a, b, c, d, e, f, g, h, i, j, k, l);
FUTURE_VOID_DECL(keep_12, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k;
                 int l, a, b, c, d, e, f, g, h, i, j, k, l);

static int sum_13(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m;
}
ASYNC_DECL(int, sum_13, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l;
           int m, a, b, c, d, e, f, g, h, i, j, k, l, m);
FUTURE_DECL(int, sum_13, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l;
            int m, a, b, c, d, e, f, g, h, i, j, k, l, m);
static int seen_13;
static void keep_13(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m) {
    seen_13 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m;
}
ASYNC_VOID_DECL(keep_13, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l;
                int m, a, b, c, d, e, f, g, h, i, j, k, l, m);
FUTURE_VOID_DECL(keep_13, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l;
                 int m, a, b, c, d, e, f, g, h, i, j, k, l, m);

static int sum_14(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
           14 * n;
}
ASYNC_DECL(int, sum_14, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m;
           int n, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
FUTURE_DECL(int, sum_14, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m;
            int n, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
static int seen_14;
static void keep_14(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n) {
    seen_14 =
        1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m + 14 * n;
}
ASYNC_VOID_DECL(keep_14, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m;
                int n, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
FUTURE_VOID_DECL(keep_14, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m;
                 int n, a, b, c, d, e, f, g, h, i, j, k, l, m, n);

static int sum_15(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
           14 * n + 15 * o;
}
ASYNC_DECL(int, sum_15, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
           int o, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
FUTURE_DECL(int, sum_15, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
            int o, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
static int seen_15;
static void keep_15(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n,
                    int o) {
    seen_15 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
              14 * n + 15 * o;
}
ASYNC_VOID_DECL(keep_15, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
                int o, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
FUTURE_VOID_DECL(keep_15, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
                 int o, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);

static int sum_16(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o,
                  int p) {
    return 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
           14 * n + 15 * o + 16 * p;
}
ASYNC_DECL(int, sum_16, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
           int o; int p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
FUTURE_DECL(int, sum_16, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
            int o; int p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
static int seen_16;
static void keep_16(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n, int o,
                    int p) {
    seen_16 = 1 * a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
              14 * n + 15 * o + 16 * p;
}
ASYNC_VOID_DECL(keep_16, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
                int o; int p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
FUTURE_VOID_DECL(keep_16, int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n;
                 int o; int p, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);

void c_tasks_with_every_number_of_arguments(void) {
    int of_task[17], of_child[17];
    ASYNC(sum_0, &of_task[0]);
    ASYNC(keep_0);
    spawn(sum_0, &of_child[0]);
    ASYNC(sum_1, 1, &of_task[1]);
    ASYNC(keep_1, 1);
    spawn(sum_1, 1, &of_child[1]);
    ASYNC(sum_2, 1, 2, &of_task[2]);
    ASYNC(keep_2, 1, 2);
    spawn(sum_2, 1, 2, &of_child[2]);
    ASYNC(sum_3, 1, 2, 3, &of_task[3]);
    ASYNC(keep_3, 1, 2, 3);
    spawn(sum_3, 1, 2, 3, &of_child[3]);
    ASYNC(sum_4, 1, 2, 3, 4, &of_task[4]);
    ASYNC(keep_4, 1, 2, 3, 4);
    spawn(sum_4, 1, 2, 3, 4, &of_child[4]);
    ASYNC(sum_5, 1, 2, 3, 4, 5, &of_task[5]);
    ASYNC(keep_5, 1, 2, 3, 4, 5);
    spawn(sum_5, 1, 2, 3, 4, 5, &of_child[5]);
    ASYNC(sum_6, 1, 2, 3, 4, 5, 6, &of_task[6]);
    ASYNC(keep_6, 1, 2, 3, 4, 5, 6);
    spawn(sum_6, 1, 2, 3, 4, 5, 6, &of_child[6]);
    ASYNC(sum_7, 1, 2, 3, 4, 5, 6, 7, &of_task[7]);
    ASYNC(keep_7, 1, 2, 3, 4, 5, 6, 7);
    spawn(sum_7, 1, 2, 3, 4, 5, 6, 7, &of_child[7]);
    ASYNC(sum_8, 1, 2, 3, 4, 5, 6, 7, 8, &of_task[8]);
    ASYNC(keep_8, 1, 2, 3, 4, 5, 6, 7, 8);
    spawn(sum_8, 1, 2, 3, 4, 5, 6, 7, 8, &of_child[8]);
    ASYNC(sum_9, 1, 2, 3, 4, 5, 6, 7, 8, 9, &of_task[9]);
    ASYNC(keep_9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    spawn(sum_9, 1, 2, 3, 4, 5, 6, 7, 8, 9, &of_child[9]);
    ASYNC(sum_10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, &of_task[10]);
    ASYNC(keep_10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    spawn(sum_10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, &of_child[10]);
    ASYNC(sum_11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, &of_task[11]);
    ASYNC(keep_11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    spawn(sum_11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, &of_child[11]);
    ASYNC(sum_12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, &of_task[12]);
    ASYNC(keep_12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    spawn(sum_12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, &of_child[12]);
    ASYNC(sum_13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, &of_task[13]);
    ASYNC(keep_13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    spawn(sum_13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, &of_child[13]);
    ASYNC(sum_14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, &of_task[14]);
    ASYNC(keep_14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    spawn(sum_14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, &of_child[14]);
    ASYNC(sum_15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, &of_task[15]);
    ASYNC(keep_15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    spawn(sum_15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, &of_child[15]);
    ASYNC(sum_16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, &of_task[16]);
    ASYNC(keep_16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    spawn(sum_16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, &of_child[16]);
    sync;
    CHECK(of_child[0] == 0);
    CHECK(of_child[1] == 1);
    CHECK(of_child[2] == 5);
    CHECK(of_child[3] == 14);
    CHECK(of_child[4] == 30);
    CHECK(of_child[5] == 55);
    CHECK(of_child[6] == 91);
    CHECK(of_child[7] == 140);
    CHECK(of_child[8] == 204);
    CHECK(of_child[9] == 285);
    CHECK(of_child[10] == 385);
    CHECK(of_child[11] == 506);
    CHECK(of_child[12] == 650);
    CHECK(of_child[13] == 819);
    CHECK(of_child[14] == 1015);
    CHECK(of_child[15] == 1240);
    CHECK(of_child[16] == 1496);
    TASKING_BARRIER();
    CHECK(of_task[0] == 0);
    CHECK(seen_0 == 0);
    seen_0 = -1;
    CHECK(of_task[1] == 1);
    CHECK(seen_1 == 1);
    seen_1 = -1;
    CHECK(of_task[2] == 5);
    CHECK(seen_2 == 5);
    seen_2 = -1;
    CHECK(of_task[3] == 14);
    CHECK(seen_3 == 14);
    seen_3 = -1;
    CHECK(of_task[4] == 30);
    CHECK(seen_4 == 30);
    seen_4 = -1;
    CHECK(of_task[5] == 55);
    CHECK(seen_5 == 55);
    seen_5 = -1;
    CHECK(of_task[6] == 91);
    CHECK(seen_6 == 91);
    seen_6 = -1;
    CHECK(of_task[7] == 140);
    CHECK(seen_7 == 140);
    seen_7 = -1;
    CHECK(of_task[8] == 204);
    CHECK(seen_8 == 204);
    seen_8 = -1;
    CHECK(of_task[9] == 285);
    CHECK(seen_9 == 285);
    seen_9 = -1;
    CHECK(of_task[10] == 385);
    CHECK(seen_10 == 385);
    seen_10 = -1;
    CHECK(of_task[11] == 506);
    CHECK(seen_11 == 506);
    seen_11 = -1;
    CHECK(of_task[12] == 650);
    CHECK(seen_12 == 650);
    seen_12 = -1;
    CHECK(of_task[13] == 819);
    CHECK(seen_13 == 819);
    seen_13 = -1;
    CHECK(of_task[14] == 1015);
    CHECK(seen_14 == 1015);
    seen_14 = -1;
    CHECK(of_task[15] == 1240);
    CHECK(seen_15 == 1240);
    seen_15 = -1;
    CHECK(of_task[16] == 1496);
    CHECK(seen_16 == 1496);
    seen_16 = -1;
    spawn(keep_0);
    spawn(keep_1, 1);
    spawn(keep_2, 1, 2);
    spawn(keep_3, 1, 2, 3);
    spawn(keep_4, 1, 2, 3, 4);
    spawn(keep_5, 1, 2, 3, 4, 5);
    spawn(keep_6, 1, 2, 3, 4, 5, 6);
    spawn(keep_7, 1, 2, 3, 4, 5, 6, 7);
    spawn(keep_8, 1, 2, 3, 4, 5, 6, 7, 8);
    spawn(keep_9, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    spawn(keep_10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    spawn(keep_11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    spawn(keep_12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    spawn(keep_13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    spawn(keep_14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    spawn(keep_15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    spawn(keep_16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    sync;
    CHECK(seen_0 == 0);
    seen_0 = -1;
    CHECK(seen_1 == 1);
    seen_1 = -1;
    CHECK(seen_2 == 5);
    seen_2 = -1;
    CHECK(seen_3 == 14);
    seen_3 = -1;
    CHECK(seen_4 == 30);
    seen_4 = -1;
    CHECK(seen_5 == 55);
    seen_5 = -1;
    CHECK(seen_6 == 91);
    seen_6 = -1;
    CHECK(seen_7 == 140);
    seen_7 = -1;
    CHECK(seen_8 == 204);
    seen_8 = -1;
    CHECK(seen_9 == 285);
    seen_9 = -1;
    CHECK(seen_10 == 385);
    seen_10 = -1;
    CHECK(seen_11 == 506);
    seen_11 = -1;
    CHECK(seen_12 == 650);
    seen_12 = -1;
    CHECK(seen_13 == 819);
    seen_13 = -1;
    CHECK(seen_14 == 1015);
    seen_14 = -1;
    CHECK(seen_15 == 1240);
    seen_15 = -1;
    CHECK(seen_16 == 1496);
    seen_16 = -1;
}

void c_futures_with_every_number_of_arguments(void) {
    CHECK(AWAIT(FUTURE(sum_0), int) == 0);
    AWAIT_VOID(FUTURE(keep_0));
    CHECK(seen_0 == 0);
    seen_0 = -1;
    CHECK(AWAIT(FUTURE(sum_1, 1), int) == 1);
    AWAIT_VOID(FUTURE(keep_1, 1));
    CHECK(seen_1 == 1);
    seen_1 = -1;
    CHECK(AWAIT(FUTURE(sum_2, 1, 2), int) == 5);
    AWAIT_VOID(FUTURE(keep_2, 1, 2));
    CHECK(seen_2 == 5);
    seen_2 = -1;
    CHECK(AWAIT(FUTURE(sum_3, 1, 2, 3), int) == 14);
    AWAIT_VOID(FUTURE(keep_3, 1, 2, 3));
    CHECK(seen_3 == 14);
    seen_3 = -1;
    CHECK(AWAIT(FUTURE(sum_4, 1, 2, 3, 4), int) == 30);
    AWAIT_VOID(FUTURE(keep_4, 1, 2, 3, 4));
    CHECK(seen_4 == 30);
    seen_4 = -1;
    CHECK(AWAIT(FUTURE(sum_5, 1, 2, 3, 4, 5), int) == 55);
    AWAIT_VOID(FUTURE(keep_5, 1, 2, 3, 4, 5));
    CHECK(seen_5 == 55);
    seen_5 = -1;
    CHECK(AWAIT(FUTURE(sum_6, 1, 2, 3, 4, 5, 6), int) == 91);
    AWAIT_VOID(FUTURE(keep_6, 1, 2, 3, 4, 5, 6));
    CHECK(seen_6 == 91);
    seen_6 = -1;
    CHECK(AWAIT(FUTURE(sum_7, 1, 2, 3, 4, 5, 6, 7), int) == 140);
    AWAIT_VOID(FUTURE(keep_7, 1, 2, 3, 4, 5, 6, 7));
    CHECK(seen_7 == 140);
    seen_7 = -1;
    CHECK(AWAIT(FUTURE(sum_8, 1, 2, 3, 4, 5, 6, 7, 8), int) == 204);
    AWAIT_VOID(FUTURE(keep_8, 1, 2, 3, 4, 5, 6, 7, 8));
    CHECK(seen_8 == 204);
    seen_8 = -1;
    CHECK(AWAIT(FUTURE(sum_9, 1, 2, 3, 4, 5, 6, 7, 8, 9), int) == 285);
    AWAIT_VOID(FUTURE(keep_9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    CHECK(seen_9 == 285);
    seen_9 = -1;
    CHECK(AWAIT(FUTURE(sum_10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), int) == 385);
    AWAIT_VOID(FUTURE(keep_10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    CHECK(seen_10 == 385);
    seen_10 = -1;
    CHECK(AWAIT(FUTURE(sum_11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), int) == 506);
    AWAIT_VOID(FUTURE(keep_11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    CHECK(seen_11 == 506);
    seen_11 = -1;
    CHECK(AWAIT(FUTURE(sum_12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), int) == 650);
    AWAIT_VOID(FUTURE(keep_12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    CHECK(seen_12 == 650);
    seen_12 = -1;
    CHECK(AWAIT(FUTURE(sum_13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), int) == 819);
    AWAIT_VOID(FUTURE(keep_13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    CHECK(seen_13 == 819);
    seen_13 = -1;
    CHECK(AWAIT(FUTURE(sum_14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), int) == 1015);
    AWAIT_VOID(FUTURE(keep_14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14));
    CHECK(seen_14 == 1015);
    seen_14 = -1;
    CHECK(AWAIT(FUTURE(sum_15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), int) == 1240);
    AWAIT_VOID(FUTURE(keep_15, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    CHECK(seen_15 == 1240);
    seen_15 = -1;
    CHECK(AWAIT(FUTURE(sum_16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), int) == 1496);
    AWAIT_VOID(FUTURE(keep_16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
    CHECK(seen_16 == 1496);
    seen_16 = -1;
}
