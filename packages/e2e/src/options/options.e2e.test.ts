import { afterAll, describe, expect, it } from "vitest";
import { hasMariadb, hasNatsServer } from "@rollcall/testkit/servers.ts";
import { proofMistakes } from "./coverage.ts";
import { sharedPrograms, type SingleProof } from "./proof.ts";
import { proofsByFile } from "./proofs/index.ts";

const shared = sharedPrograms();
afterAll(async () => await shared.end());

const available = { mariadb: await hasMariadb(), nats: hasNatsServer() };
const needs = (option: string): keyof typeof available | null => {
  if (option.startsWith("nats.")) return "nats";
  return /^database\.(?!custom\.)/.test(option) ? "mariadb" : null;
};
const all = Object.values(proofsByFile).flat();

describe("proofs of options", () => {
  it("exist once for every option in effect, and for no other", () => {
    expect(proofMistakes(all.map(({ option }) => option))).toEqual({
      without: [],
      notInEffect: [],
      twice: [],
    });
  });

  it("are reported when they are missing, superfluous or duplicated", () => {
    expect(proofMistakes(["mode", "mode", "secret", "http.sessions", "no.such"], ["mode", "logLevel"])).toEqual({
      without: ["logLevel"],
      notInEffect: ["secret", "no.such"],
      twice: ["mode"],
    });
  });

  it("state two values and two observations", () => {
    for (const { option, first, second } of all) {
      expect(first.value, option).not.toBe(second.value);
      expect(first.observed, option).not.toBe(second.observed);
    }
  });
});

/** Proofs that have programs of their own, by file. */
const single = Object.entries(proofsByFile)
  .map(([file, proofs]) => ({ file, proofs: proofs.filter((proof): proof is SingleProof => !("group" in proof)) }))
  .filter(({ proofs }) => proofs.length > 0);

/** These share a provider, and each sets the person who signs in there. */
const inOrder = new Set(["oauth"]);

for (const { file, proofs } of single) {
  // Proofs mostly wait for their programs.
  describe(file, { timeout: 120_000, concurrent: !inOrder.has(file) }, () => {
    for (const proof of proofs) {
      const need = needs(proof.option);
      it.skipIf(need !== null && !available[need])(proof.option, async () => {
        const kit = shared.kit();
        try {
          await proof.run(kit);
        } finally {
          await kit.end();
        }
      });
    }
  });
}
