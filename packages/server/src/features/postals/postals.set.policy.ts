import { createHash } from "node:crypto";
import Flatbush from "flatbush";
import { foldCode, type SearchMatch } from "#core/contract/index.ts";
import { type Postal, type PostalList, worldEdge } from "./postals.contract.ts";

/** A place that was found by its code. */
export interface FoundPostal {
  readonly postal: Postal;
  /** Its index in the file's usable entries. */
  readonly index: number;
  readonly match: Exclude<SearchMatch, "similar">;
  /** 1 for the exact code, less for its beginning, least for a part of it. */
  readonly score: number;
}

interface Known {
  readonly postal: Postal;
  readonly index: number;
  /** The code as it is compared. */
  readonly key: string;
}

const order = new Intl.Collator("en", { numeric: true });

/** Null for no places: an index of none cannot be built. */
function indexOf(postals: readonly Postal[]): Flatbush | null {
  if (postals.length === 0) return null;
  const index = new Flatbush(postals.length);
  for (const { x, y } of postals) index.add(x, y);
  index.finish();
  return index;
}

/** The first place of each code, by what the code is compared as. */
function firstOfEach(postals: readonly Postal[]): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const [index, postal] of postals.entries()) {
    const key = foldCode(postal.code);
    if (!known.has(key)) known.set(key, { postal, index, key });
  }
  return known;
}

/** One list of postal codes, which never changes, with its indexes. */
export class PostalSet {
  readonly postals: readonly Postal[];
  /** The same for the same list. */
  readonly version: string;
  /** A `PostalList` without its version. */
  readonly #rows: PostalList["postals"];
  readonly #byPlace: Flatbush | null;
  readonly #byCode: ReadonlyMap<string, Known>;
  readonly #inOrder: readonly Known[];

  /** Every coordinate is finite. */
  constructor(postals: readonly Postal[]) {
    this.postals = postals;
    this.#rows = postals.map(({ code, x, y }) => [code, x, y] as const);
    this.version = createHash("sha256").update(JSON.stringify(this.#rows)).digest("base64url").slice(0, 16);
    this.#byPlace = indexOf(postals);
    this.#byCode = firstOfEach(postals);
    this.#inOrder = [...this.#byCode.values()].toSorted((a, b) => order.compare(a.key, b.key));
  }

  get list(): PostalList {
    return { version: this.version, postals: this.#rows };
  }

  nearest(x: number, y: number): { code: string; distance: number } | null {
    // The comparison is false for NaN, for which the index would answer any place.
    if (this.#byPlace === null || !(Math.abs(x) <= worldEdge && Math.abs(y) <= worldEdge)) return null;
    const postal = this.postals[this.#byPlace.neighbors(x, y, 1)[0] ?? -1];
    return postal === undefined ? null : { code: postal.code, distance: Math.hypot(postal.x - x, postal.y - y) };
  }

  find(code: string): Postal | null {
    return this.#byCode.get(foldCode(code))?.postal ?? null;
  }

  search(query: string, limit: number): FoundPostal[] {
    const wanted = foldCode(query);
    if (wanted === "") return [];
    const beginning: FoundPostal[] = [];
    const within: FoundPostal[] = [];
    for (const { postal, index, key } of this.#inOrder) {
      const at = key.indexOf(wanted);
      if (at === 0 && key !== wanted) beginning.push({ postal, index, match: "beginning", score: 0.5 });
      else if (at > 0) within.push({ postal, index, match: "beginning", score: 0.25 });
    }
    const exact = this.#byCode.get(wanted);
    const first: FoundPostal[] = exact ? [{ postal: exact.postal, index: exact.index, match: "whole", score: 1 }] : [];
    return [...first, ...beginning, ...within].slice(0, limit);
  }
}
