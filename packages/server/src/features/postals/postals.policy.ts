import { foldCode } from "#core/contract/index.ts";
import { longestCode, type Postal, worldEdge } from "./postals.contract.ts";

/** More are no list of a map, and would not fit into one answer. */
export const mostPostals = 20_000;

/** How many entries of a list something is true of, and the index of the first; -1 for none. */
export interface Counted {
  readonly count: number;
  readonly first: number;
}

/** The usable entries of a file, in its order. */
export interface ReadPostals {
  readonly postals: readonly Postal[];
  /** Entries without a code or a place. */
  readonly leftOut: Counted;
  /** Entries whose code an earlier one has. They are used: a long street may have one code. */
  readonly repeated: Counted;
}

/** Why a text is no list of postal codes: the name of a finding. `reason` is what the parser says, in English. */
export interface NoPostals {
  readonly trouble: "noJson" | "noList" | "tooMany" | "noneUsable";
  readonly reason: string;
}

const isCoordinate = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= worldEdge;

/** Null for an entry that is not usable. Files write codes as texts or numbers. */
function postalOf(entry: unknown): Postal | null {
  if (typeof entry !== "object" || entry === null) return null;
  const { code: given, x, y } = entry as Readonly<Record<string, unknown>>;
  if (typeof given !== "string" && !Number.isFinite(given)) return null;
  const code = String(given).trim();
  const isUsable = code !== "" && code.length <= longestCode && isCoordinate(x) && isCoordinate(y);
  return isUsable ? { code, x, y } : null;
}

function counter() {
  let count = 0;
  let first = -1;
  return {
    add(index: number): void {
      if (count === 0) first = index;
      count += 1;
    },
    counted: (): Counted => ({ count, first }),
  };
}

/** Reads the text of a file: a JSON list of {code, x, y}, whose other fields are ignored. */
export function readPostals(text: string): ReadPostals | NoPostals {
  let parsed: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    parsed = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    return { trouble: "noJson", reason: (error as Error).message };
  }
  if (!Array.isArray(parsed)) return { trouble: "noList", reason: "" };
  if (parsed.length > mostPostals) return { trouble: "tooMany", reason: "" };
  const postals: Postal[] = [];
  const codes = new Set<string>();
  const [leftOut, repeated] = [counter(), counter()];
  for (const [index, entry] of parsed.entries()) {
    const postal = postalOf(entry);
    if (postal === null) {
      leftOut.add(index);
      continue;
    }
    const key = foldCode(postal.code);
    if (codes.has(key)) repeated.add(index);
    codes.add(key);
    postals.push(postal);
  }
  if (parsed.length > 0 && postals.length === 0) return { trouble: "noneUsable", reason: `0 of ${parsed.length}` };
  return { postals, leftOut: leftOut.counted(), repeated: repeated.counted() };
}
