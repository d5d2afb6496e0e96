/** One leaf of what was changed: where it stands and what it was and is, undefined where it was not there. */
export interface Change {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !(Array.isArray(value) && value.every((one) => typeof one !== "object"));

function leavesOf(value: unknown, path: string, found: Map<string, unknown>): Map<string, unknown> {
  if (!isTree(value)) return value === undefined ? found : found.set(path, value);
  const entries = Object.entries(value);
  if (entries.length === 0) return found.set(path, value);
  for (const [name, member] of entries) leavesOf(member, path === "" ? name : `${path}.${name}`, found);
  return found;
}

/**
 * Says only that a branch was not there where the other side says more, or that a right came or went
 * without details. Of limits, a right without details is one that may be handed out, and is shown.
 */
function isBare(path: string, value: unknown, other: unknown, others: ReadonlyMap<string, unknown>): boolean {
  if (path.endsWith(".attributes") && isTree(value) && Object.keys(value).length === 0) return other === undefined;
  return value === null && other === undefined && [...others.keys()].some((one) => one.startsWith(`${path}.`));
}

/** What differs between before and after, leaf by leaf, in the order of their appearance. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const [old, fresh] = [leavesOf(before, "", new Map()), leavesOf(after, "", new Map())];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((path) => ({ path, before: old.get(path), after: fresh.get(path) }))
    .filter(({ path, before: was, after: is }) => !isBare(path, was, is, fresh) && !isBare(path, is, was, old))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

/** Every leaf with its value. */
export function leaves(value: unknown): readonly (readonly [path: string, value: unknown])[] {
  return [...leavesOf(value, "", new Map())];
}
