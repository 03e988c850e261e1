import { conjunctTexts } from "../../base/text.ts";
import { givenTo } from "../../commands/command.ts";
import { claims } from "../../commands/verify/claims.ts";
import { verify } from "../../commands/verify/command.ts";
import type { VerifyReport } from "../../commands/verify/result.ts";
import { plain } from "../../render/layout.ts";
import { assumptionLines, inputsPhrase } from "../../render/phrases.ts";
import { claim, line, placeOf } from "../answer.ts";
import { oneOf } from "../parameters.ts";
import { commonRaw, filesOf, programParameters } from "../programs.ts";
import { tool } from "../tool.ts";

const parameters = {
  ...programParameters,
  property: oneOf("default: assert", ["assert", "overflow", "bounds", "null", "div-by-zero", "uninitialised", "all"]),
} as const;

export const verifyTool = tool({
  name: "verify",
  description:
    "Prove for all inputs that no assertion of a C program or function fails (or another property), or give inputs with which one does.",
  parameters,
  onlyReads: true,
  async answer(given, session, call) {
    const words = filesOf(session, given);
    const raw = {
      ...commonRaw(session, given.entry),
      ...(given.property === null ? {} : { property: given.property }),
      timeoutSeconds: `${Math.max(1, session.settings.seconds * verifyingShare)}`,
    };
    const request = { ...verify.request(givenTo(verify, { words, raw })), within: session.workspace.root };
    const { report } = await session.queue.run(verify, request, call);
    return { lines: verificationLines(report) };
  },
});

/** The rest of the time is for the checker, and for what is known by then. */
const verifyingShare = 0.8;

function verificationLines(report: VerifyReport): readonly string[] {
  const { verdict, property, outcome, inputs, assumptions, invariants, certificate, unknowns, notes } = report;
  const checkers = certificate?.checkedBy.join(" and ") ?? "";
  const heads = invariants.filter(({ conjuncts }) => conjuncts.length > 0);
  const ifs = assumptionLines(assumptions, plain).map((each) => line(each));
  const verdicts = {
    safe: () => [
      claim(
        `safe: ${claims[property]} in any run${assumptions.length === 0 ? "" : ", on the condition below"}${checkers === "" ? "" : `; checked by ${checkers}`}`,
        "proved",
      ),
      ...ifs,
    ],
    unsafe: () => [
      claim(
        `unsafe: ${outcome?.location == null ? "" : `${placeOf(outcome.location)}: `}${outcome?.message ?? ""}; inputs ${inputsPhrase(inputs)}`,
        "re-run",
      ),
    ],
    unknown: () => [line(`unknown: whether ${claims[property]}`)],
  };
  return [
    ...verdicts[verdict](),
    ...unknowns.map(({ reason, where, help }) =>
      line(`open: ${where === null ? "" : `${placeOf(where)}: `}${reason}${help === "" ? "" : ` (${help})`}`),
    ),
    ...heads.map(({ location, function: fn, conjuncts }) => {
      const text = `loop at ${placeOf(location)} in ${fn}: ${conjunctTexts(conjuncts).join(" && ")}`;
      // Only the invariants of a verdict are checked again.
      return verdict === "safe" ? claim(text, "proved") : line(`found, but not checked again: ${text}`);
    }),
    ...notes.map(({ message, location }) => line(`note: ${placeOf(location)}: ${message}`)),
  ];
}
