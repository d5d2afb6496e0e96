import type { DegradedPart, Finding } from "../finding.ts";
import type { Said } from "../parsed.ts";
import type { Findings } from "../read.ts";
import type { schema } from "../schema/index.ts";
import type { Draft } from "../schema/option.ts";
import type { TreeNode } from "../tree.ts";
import { nodeAt, placeOf } from "../walk.ts";

/** The input and the reporting functions of checks between options. */
export interface CheckContext {
  readonly draft: Draft<typeof schema>;
  readonly tree: TreeNode;
  readonly problem: (path: string, what: string, instead: string) => void;
  readonly warning: (path: string, what: string, instead: string, said: Said, part?: DegradedPart) => void;
  readonly hint: (path: string, what: string, instead: string, said: Said) => void;
  /** Whether the option is set in the file or the environment. */
  readonly isSet: (path: string) => boolean;
}

export function checkContext(draft: Draft<typeof schema>, tree: TreeNode, findings: Findings): CheckContext {
  const finding = (path: string, what: string, instead: string): Finding => ({
    path,
    what,
    instead,
    place: placeOf(tree, path),
  });
  return {
    draft,
    tree,
    problem: (path, what, instead) => findings.problems.push(finding(path, what, instead)),
    warning: (path, what, instead, said, part) =>
      findings.warnings.push({ ...finding(path, what, instead), said, ...(part && { part }) }),
    hint: (path, what, instead, said) => findings.hints.push({ ...finding(path, what, instead), said }),
    isSet: (path) => nodeAt(tree, path) !== null,
  };
}
