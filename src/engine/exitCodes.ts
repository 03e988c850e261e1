/** What the process's exit status says (`docs/errors.md`). */
export const exitCodes = {
  fine: 0,
  programIsWrong: 1,
  inputIsWrong: 2,
  unknown: 3,
  defect: 70,
  /** By Ctrl-C and by SIGTERM, as shells count signals. */
  interrupted: 130,
  terminated: 143,
} as const;
