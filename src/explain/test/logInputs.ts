import type { InputSource, InputValue } from "../../interpreter/inputs.ts";
import type { InputPlan } from "../../js/lowering/context.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import type { ReplayEvidence } from "../../js/replay/evidence.ts";
import type { Lowered } from "../../js/replay/lowerRecording.ts";

/** What a program that was made from a recording reads: what the log has for the node, time after time. */
export function logInputs({ inputs, model: { encoding } }: Lowered, evidence: ReplayEvidence): InputSource {
  const counts = new Map<InputPlan["of"], Map<Node, number>>();
  const count = ({ of, node }: InputPlan): number => {
    const known = counts.get(of) ?? new Map<Node, number>();
    counts.set(of, known);
    const number = known.get(node) ?? 0;
    known.set(node, number + 1);
    return number;
  };
  return ({ plan: number }) => {
    const plan = number === undefined ? undefined : inputs[number];
    return plan === undefined ? null : valueAt(plan, count(plan));
  };

  function valueAt(plan: InputPlan, at: number): InputValue | null {
    const { node, of, repr } = plan;
    switch (of) {
      case "value": {
        const values = evidence.values.get(node) ?? [];
        return at < values.length ? encoding.encode(values[at], repr) : null;
      }
      case "throws": {
        const values = evidence.throws.get(node) ?? [];
        return at < values.length ? (values[at] ? 1n : 0n) : null;
      }
      case "callee": {
        const called = evidence.callees.get(node)?.[at];
        const known = evidence.plans.get(node);
        if (called === undefined || known?.kind !== "call") return null;
        return BigInt([...known.functions].indexOf(called));
      }
      case "goesOn": {
        const rounds = evidence.rounds.get(node) ?? [];
        return at < rounds.length ? (rounds[at] === null ? 0n : 1n) : null;
      }
      case "element": {
        const round = (evidence.rounds.get(node) ?? []).filter((each) => each !== null)[at];
        return round === undefined ? null : encoding.encode(round.value, repr);
      }
    }
  }
}
