import { expect, test } from "vitest";
import { changedLines } from "../../bench/changes/bugs.ts";
import { linesOfScreen } from "../../bench/changes/screens.ts";

test("reads the places of a screen, and no values", () => {
  const screen = `error: wrong output in line 1: expected "12"
                               printed  "13"
  --> program.c:40:1 in main
40 | printf("%d",sum);
   |             ^^^ 5016
why sum is 5016
   main:9  scanf("%d",&arr[i]);  arr[99] = 24
   10      sum+=arr[i];          sum = 5016, was 4992  <-- maybe: without this the run passes
what if: main:21 with \`j + 2\` the run passes
also:   main:31 for(i=0;i<n;i++)  |  7 for(i=0;i<n;i++)
20,823 steps -> 6 lines; 394 more: --all
`;
  expect(linesOfScreen(screen)).toEqual({ head: [40], rows: [9, 10], named: [40, 21, 31, 7] });
});

test("a blank inside of a string is a change", () => {
  expect(changedLines('int a;\nputs(" x");\n', 'int  a;\nputs("x");\n')).toEqual([2]);
});
