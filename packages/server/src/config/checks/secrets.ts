import { minimumSecretLength, type SecretWeakness, weakSecrets } from "#core/secrets.ts";
import { schema } from "../schema/index.ts";
import { leavesOf, type Leaf } from "../schema/option.ts";
import type { TreeNode } from "../tree.ts";
import { compareFindings } from "../finding.ts";
import { nodeAt, placeOf } from "../walk.ts";
import type { CheckContext } from "./context.ts";

interface Written {
  readonly path: string;
  readonly text: string;
}

/** Every secret of the document that has to differ from the others. */
function writtenSecrets(tree: TreeNode): Written[] {
  const found: Written[] = [];
  const collect = (leaf: Leaf, prefix: string) => {
    const path = prefix + leaf.path;
    const node = nodeAt(tree, path);
    if (node === null) return;
    if (leaf.option.structure?.kind === "list" && node.kind === "list") {
      const inner = leavesOf(leaf.option.structure.entry);
      node.items.forEach((_, i) => inner.forEach((innerLeaf) => collect(innerLeaf, `${path}[${i}].`)));
    }
    if (!leaf.option.mustDiffer) return;
    if (node.kind === "list")
      node.items.forEach((item, i) => item.kind === "scalar" && found.push({ path: `${path}[${i}]`, text: item.text }));
    else if (node.kind === "scalar") found.push({ path, text: node.text });
  };
  for (const leaf of leavesOf(schema)) collect(leaf, "");
  // In the order of the file, so that the later one of two is reported.
  const inOrder = found
    .map((secret) => ({ ...secret, place: placeOf(tree, secret.path), what: "", instead: "" }))
    .toSorted(compareFindings);
  return inOrder.filter((secret) => secret.text.trim() !== "");
}

const what: Readonly<Record<SecretWeakness, string>> = {
  short: `has fewer than ${minimumSecretLength} characters, so it can be guessed`,
  placeholder: "is the placeholder of an example, so everybody knows it",
  regular: "has few or regular characters, so it can be guessed",
};
const random = `write at least ${minimumSecretLength} random characters, for example from openssl rand -base64 32`;

export function checkSecrets(context: CheckContext): void {
  const firstOf = new Map<string, string>();
  for (const { path, text } of writtenSecrets(context.tree)) {
    const first = firstOf.get(text);
    if (first === undefined) firstOf.set(text, path);
    else context.problem(path, `is the same secret as ${first}`, "write a different random value");
  }
  // Headers lose blanks at their edges, so such a token could never match.
  for (const [i, token] of (context.draft.sync.apiTokens ?? []).entries())
    if (token !== token.trim())
      context.problem(
        `sync.apiTokens[${i}]`,
        "has a blank or line break at its beginning or end, so no call can match it",
        "write it without",
      );
  for (const { option, weakness } of weakSecrets(context.draft)) context.warning(option, what[weakness], random, { code: null });
}
