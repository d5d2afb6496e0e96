/** A text that the databases would not store unchanged; `field` is its path with dots (empty for the value itself). */
export interface Unstorable {
  readonly field: string;
  readonly problem: string;
}

/** Far beyond any schema; a body of nothing but brackets would overflow the stack. */
const deepest = 100;

function problemOf(text: string): string | null {
  if (!text.isWellFormed()) return "holds half of a character (a lone surrogate); send whole characters";
  return text.includes("\0") ? "holds the character NUL; leave it out" : null;
}

function problemIn(key: string, member: unknown, depth: number): Unstorable | null {
  const ofKey = problemOf(key);
  if (ofKey !== null) return { field: "", problem: `has a name that ${ofKey}` };
  const found = unstorable(member, depth + 1);
  return found && { field: found.field === "" ? key : `${key}.${found.field}`, problem: found.problem };
}

/**
 * The first text in a JSON value that would be read back changed: lone surrogates are replaced on the
 * way to a database, so two ids become one, and NUL ends a text early in some functions.
 */
export function unstorable(value: unknown, depth = 0): Unstorable | null {
  if (typeof value === "string") {
    const problem = problemOf(value);
    return problem === null ? null : { field: "", problem };
  }
  if (typeof value !== "object" || value === null) return null;
  if (depth > deepest) return { field: "", problem: `is nested deeper than ${deepest} levels` };
  for (const key of Object.keys(value)) {
    const found = problemIn(key, (value as Record<string, unknown>)[key], depth);
    if (found !== null) return found;
  }
  return null;
}
