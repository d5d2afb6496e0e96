/** One changed leaf: its path and its values before and after, undefined where it did not exist. */
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
 * A leaf without information: the absence of a branch whose leaves the other side shows, or a right
 * without attributes. In limits, a right without attributes is one that may be given, and is shown.
 */
function isBare(path: string, value: unknown, other: unknown, others: ReadonlyMap<string, unknown>): boolean {
  if (path.endsWith(".attributes") && isTree(value) && Object.keys(value).length === 0) return other === undefined;
  return value === null && other === undefined && [...others.keys()].some((one) => one.startsWith(`${path}.`));
}

/** The leaves that differ between before and after, in the order of their appearance. */
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
