import { proofsByFile } from "../../packages/e2e/src/options/proofs/index.ts";

const cell = (text: string) => text.replaceAll("|", "\\|");
const code = (text: string) => `\`${cell(text)}\``;

function page(): string {
  const rows = Object.entries(proofsByFile).flatMap(([file, proofs]) =>
    proofs.map(({ option, first, second }) => {
      const test = `[${file}](../../packages/e2e/src/options/proofs/${file}.ts)`;
      return `| ${[code(option), code(first.value), cell(first.observed), code(second.value), cell(second.observed), test].join(" | ")} |`;
    }),
  );
  const head = [
    "# Proof of every option in effect",
    "",
    "<!-- Generated from packages/e2e/src/options/proofs by npm run generate. Do not edit. -->",
    "",
    "For each option that this release acts on: two values, and the difference that is seen from outside the process with each. The end-to-end test `packages/e2e/src/options/options.e2e.test.ts` starts the program with both values and fails when the difference is not there, and when an option in effect has no row.",
    "",
    "| Option | Value | Observed | Other value | Observed | Test |",
    "|---|---|---|---|---|---|",
  ];
  return `${[...head, ...rows].join("\n")}\n`;
}

export const generator = {
  name: "proof",
  async outputs(): Promise<Record<string, string>> {
    return { "docs/operate/options-proof.md": page() };
  },
};
