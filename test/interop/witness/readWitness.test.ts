import { describe, expect, it } from "vitest";
import { TracefoldError } from "../../../src/base/errors.ts";
import { checkWitnessFiles } from "../../../src/interop/witness/readInvariants.ts";
import { readWitness, witnessValues } from "../../../src/interop/witness/readWitness.ts";

const hash = "ab".repeat(32);
const text = `\
- entry_type: "violation_sequence"
  metadata:
    format_version: 2.0
    uuid: "6e2a8a3a-0b4c-4c0e-9c2e-0d6d0a4b7b10"
    creation_time: 2024-01-01T12:00:00+01:00
    producer:
      name: "Somebody"
      version: "4.0"
    task:
      input_files:
      - "./p.c"
      input_file_hashes:
        "./p.c": "${hash.toUpperCase()}"
      specification: |
        CHECK( init(main()), LTL(G ! call(reach_error())) )
      data_model: ILP32
      language: C
  content:
  - segment:
    - waypoint:
        type: branching
        action: avoid
        constraint:
          value: "false"
        location: {file_name: "./p.c", line: 4, column: 3}
    - waypoint:
        type: "function_return"
        action: "follow"
        constraint:
          value: "\\\\result == 0x10u"
          format: acsl_expression
        location:
          file_name: "./p.c"
          line: 3
          column: 33
          function: "main"
  - segment:
    - waypoint:
        type: assumption
        action: follow
        constraint:
          value: (n == 7) && -1 == m && k > 2
          format: c_expression
        location:
          file_name: "./p.c"
          line: 5
  - segment:
    - waypoint:
        type: target
        action: follow
        location:
          file_name: "./p.c"
          line: 9
`;

function errorOf(witness: string): TracefoldError {
  try {
    readWitness(witness, "w.yml");
  } catch (error) {
    if (error instanceof TracefoldError) return error;
    throw error;
  }
  throw new Error("no error");
}

const place = (witness: string) => {
  const { code, message, range } = errorOf(witness);
  expect(range!.file).toBe("w.yml");
  return `${range!.line}:${range!.column}: ${code}: ${message}`;
};

describe("readWitness", () => {
  it("reads a violation sequence", () => {
    const witness = readWitness(text, "w.yml");
    expect(witness).toMatchObject({
      specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )",
      dataModel: "ILP32",
      files: [{ path: "./p.c", sha256: hash }],
    });
    expect(witness.waypoints.map(({ type, action }) => [type, action])).toEqual([
      ["branching", "avoid"],
      ["function_return", "follow"],
      ["assumption", "follow"],
      ["target", "follow"],
    ]);
    expect(witness.waypoints[1]).toMatchObject({
      location: { file: "./p.c", line: 3, column: 33, function: "main" },
      constraint: "\\result == 0x10u",
      at: { line: 27 },
    });
    expect(witness.waypoints[2]!.location).toEqual({ file: "./p.c", line: 5, column: null, function: null });
  });

  it("has the concrete values of a run", () => {
    const values = witnessValues(readWitness(text, "w.yml"));
    expect(values.map(({ name, value, waypoint }) => [name, value, waypoint.location.line])).toEqual([
      [null, 16n, 3],
      ["n", 7n, 5],
      ["m", -1n, 5],
    ]);
    const with_ = (constraint: string) =>
      witnessValues(readWitness(text.replace("(n == 7) && -1 == m && k > 2", constraint), "w.yml")).slice(1);
    expect(with_("n == 7 || m == 2")).toEqual([]);
    expect(with_("n + 1 == 7 && !(m == 2) && a[0] == 1 && f(n) == 3 && n == m")).toEqual([]);
    expect(with_("n == 010").map(({ value }) => value)).toEqual([8n]);
  });

  it("takes the first violation sequence, and ignores the others and invariants", () => {
    const both = `- entry_type: invariant_set\n${text}${text}`;
    expect(readWitness(both, "w.yml").waypoints).toEqual(readWitness(`#\n${text}`, "w.yml").waypoints);
  });

  it("says what is wrong and where", () => {
    expect(place("a: [1")).toMatch(/^1:6: TF194: this is not YAML: /);
    expect(place("hello")).toBe("1:1: TF195: not a violation witness: a witness is a list of entries");
    expect(place("")).toBe("1:1: TF195: not a violation witness: a witness is a list of entries");
    expect(place("- entry_type: invariant_set\n")).toMatch(/TF195: .*no entry of type violation_sequence$/);
    expect(place(text.replace("2.0", "1.0"))).toBe(
      "3:21: TF195: not a violation witness: version 1.0 of the format is not supported",
    );
    expect(place(text.replace("    task:\n", "    tasks:\n"))).toBe(
      "3:5: TF196: malformed witness: the field task is missing",
    );
    expect(place(text.replace("data_model: ILP32", "data_model:"))).toBe(
      "10:7: TF196: malformed witness: the field data_model is missing",
    );
    expect(place(text.replace("ILP32", "ILP31"))).toMatch(/^16:19: TF196: .*ILP31 is not a data model: ILP32 or LP64$/);
    expect(place(text.replace("AB", "xy"))).toMatch(/^13:18: TF196: .*not a SHA-256 hash$/);
    expect(place(text.replace("line: 5", "line: five"))).toMatch(/^46:17: TF196: .*five is not a positive number$/);
    expect(place(text.replace("type: assumption", "type: wish"))).toBe("39:15: TF198: unknown type of waypoint: wish");
    expect(place(text.replace("  - segment:", "  - waypoints:"))).toMatch(
      /^19:5: TF196: .*the field segment is missing$/,
    );
    expect(place(text.replace("type: target", "type: function_enter"))).toMatch(/TF196: .*has to be the target$/);
    expect(place(text.replace("action: avoid", "action: follow"))).toMatch(
      /^20:5: TF196: .*and no other, has the action/,
    );
    const unconstrained = text.replace(/ {8}constraint:\n {10}value: "false"\n/, "");
    expect(place(unconstrained)).toMatch(/^21:9: TF196: .*a waypoint of type branching needs a constraint$/);
    expect(place(text.slice(0, text.indexOf("  content:")))).toMatch(/^1:3: TF196: .*the field content is missing$/);
    expect(place(`${text.slice(0, text.indexOf("  content:"))}  content: []\n`)).toMatch(/TF196: .*has no segment$/);
  });

  it("reports a witness for another file or another version of it", () => {
    const witness = readWitness(text, "w.yml");
    const about = (path: string, sha256: string) => ({
      files: [{ path, sha256, text: "" }],
      dataModel: witness.dataModel,
    });
    expect(() => checkWitnessFiles(witness, about("elsewhere/q.c", hash), "w.yml")).not.toThrow();
    const check = (path: string) => () => checkWitnessFiles(witness, about(path, "cd".repeat(32)), "w.yml");
    expect(check("src/p.c")).toThrow("this witness is about another version of src/p.c");
    expect(check("src/q.c")).toThrow("this witness is about another file: ./p.c");
    expect(check("src/q.c")).toThrow(
      expect.objectContaining({ code: "TF197", range: expect.objectContaining({ line: 13 }) }),
    );
  });
});
