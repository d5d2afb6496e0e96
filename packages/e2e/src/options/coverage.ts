import { type Group, isOption, leavesOf, schema } from "@rollcall/testkit/server/config.ts";

/** Options in effect, including fields of list entries: each needs a proof. */
export function optionsInEffect(): string[] {
  return leavesOf(schema)
    .filter(({ option }) => option.inEffect)
    .flatMap(({ path, option: { structure } }) => {
      const fields = structure?.kind === "list" ? leavesOf(structure.entry).filter(({ option }) => option.inEffect) : [];
      return [path, ...fields.map((field) => `${path}[].${field.path}`)];
    });
}

/** Sections of the document that are required as such; a proof may flip one as a whole. */
export function sectionInEffect(path: string): boolean {
  let at: unknown = schema;
  for (const key of path.split(".")) at = (at as Group | undefined)?.[key];
  if (at === undefined || isOption(at as Group)) return false;
  return leavesOf(at as Group).every(({ option }) => option.inEffect);
}

export interface ProofMistakes {
  readonly without: string[];
  readonly notInEffect: string[];
  readonly twice: string[];
}

/** Compares the options that have proofs with those that need one. */
export function proofMistakes(proven: readonly string[], inEffect: readonly string[] = optionsInEffect()): ProofMistakes {
  return {
    without: inEffect.filter((path) => !proven.includes(path)),
    notInEffect: proven.filter((path) => !inEffect.includes(path) && !sectionInEffect(path)),
    twice: proven.filter((path, i) => proven.indexOf(path) !== i),
  };
}
