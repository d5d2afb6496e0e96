import { features } from "../../packages/server/src/app/features.ts";
import type { Generator } from "./generator.ts";

const target = "packages/web/src/features/audit/objects.ts";

/** Names the feature of each kind of object in the audit log whose stored name does not: the browser finds its text there. */
export const generator: Generator = {
  name: "objects",
  async outputs() {
    const kinds = features.flatMap(({ name, contract }) =>
      (contract.objects ?? []).filter((kind) => !kind.includes(".")).map((kind) => ({ kind, name })),
    );
    const entries = kinds
      .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
      .map(({ kind, name }) => `  ${kind}: ${JSON.stringify(name)},\n`);
    const text = `// Generated from the contracts in server/src/features/ by npm run generate. Do not edit.

/** The feature of each kind of object in the audit log that has no feature in its name. */
export const featureOfKind: Readonly<Record<string, string>> = {
${entries.join("")}};
`;
    return { [target]: text };
  },
};
