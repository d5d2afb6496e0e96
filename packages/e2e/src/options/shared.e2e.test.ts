import assert from "node:assert/strict";
import { describe, expect, it } from "vitest";
import { type Part, planPhases, provePhases, settingsOf } from "./phases.ts";
import { proveGroup, type SharedProof } from "./proof.ts";
import { proofsByFile } from "./proofs/index.ts";

const shared = Object.values(proofsByFile)
  .flat()
  .filter((proof): proof is SharedProof => "group" in proof);

/** Options that share a program, which is restarted with some of them flipped. */
describe.each([...new Set(shared.map(({ group }) => group))])("the options of the program “%s”", (group) => {
  const proofs = shared.filter((proof) => proof.group === group);
  let proving: ReturnType<typeof proveGroup> | null = null;

  it.each(proofs.map(({ option }) => option))(
    "%s",
    async (option) => {
      const failures = (await (proving ??= proveGroup(proofs))).get(option);
      expect(failures).toEqual([]);
    },
    300_000,
  );
});

describe("a shared program", () => {
  const flips = (option: string, observe: (value: number) => void): Part => ({
    option,
    settings: [{ [option]: 0 }, { [option]: 1 }],
    observe: async (value) => observe(value),
  });

  it("has each option at its second value in a selection of starts that no other has, and never in all", () => {
    for (const count of [1, 2, 6, 7, 14, 15]) {
      const phases = planPhases(Array.from({ length: count }, () => ({ settings: [{}, {}] })));
      const selections = Array.from({ length: count }, (_part, i) => phases.slice(1).map((phase) => phase[i]));
      expect(new Set(selections.map(String)).size).toBe(count);
      for (const selection of selections) expect(new Set(selection)).toEqual(new Set([0, 1]));
    }
  });

  it("reports an option that does nothing, and an effect that belongs to another option", async () => {
    let now: Record<string, unknown> = {};
    const parts = [
      flips("works", (value) => assert.equal(now["works"], value)),
      flips("does.nothing", (value) => assert.equal(0, value)),
      flips("of.another", (value) => assert.equal(now["works"], value)),
      flips("works.too", (value) => assert.equal(now["works.too"], value)),
    ];
    const failures = await provePhases(parts, async (settings) => void (now = settings));
    expect([...failures].filter(([, found]) => found.length > 0).map(([option]) => option)).toEqual([
      "does.nothing",
      "of.another",
    ]);
  });

  it("refuses options that touch each other", () => {
    const one = flips("http.origins", () => undefined);
    const other = { ...one, option: "http.publicURL", settings: [{}, { "http.origins": 2 }] };
    expect(() => settingsOf([one, other], [0, 1])).toThrow(
      /http\.origins and http\.publicURL both set http\.origins|http\.publicURL and http\.origins both/,
    );
  });
});
