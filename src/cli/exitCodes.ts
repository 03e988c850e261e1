/** What the process's exit status says (`docs/errors.md`). */
export const exitCodes = {
  fine: 0,
  programIsWrong: 1,
  inputIsWrong: 2,
  unknown: 3,
  defect: 70,
  interrupted: 130,
} as const;
