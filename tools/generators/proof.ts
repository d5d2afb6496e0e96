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
    "# Proofs of the options",
    "",
    "<!-- Generated from packages/e2e/src/options/proofs by npm run generate. Do not edit. -->",
    "",
    "For each option that this release acts on: two values, and the difference that can be observed from outside the process. The end-to-end test `packages/e2e/src/options/options.e2e.test.ts` runs the program with both values; `shared.e2e.test.ts` beside it does the same for options that share a program, restarted with some of them flipped. Both fail without that difference, and the first fails when an option in effect has no row.",
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
