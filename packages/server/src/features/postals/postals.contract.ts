import { Type, type Static } from "typebox";
import { access, defineOperation, inWords, Nullable } from "#core/contract/index.ts";

/** Longest code, in UTF-16 units. */
export const longestCode = 48;
/** No coordinate of a map is farther from its origin, in metres. */
export const worldEdge = 1_000_000;
const mostFound = 50;

/** A postal code and its place on the map, in world units (metres). */
export const Postal = Type.Object({
  code: Type.String({ minLength: 1, maxLength: longestCode }),
  x: Type.Number(),
  y: Type.Number(),
});
export type Postal = Static<typeof Postal>;

/** The answer of `postals.list`: all postal codes as `[code, x, y]`, in the order of the file. */
export interface PostalList {
  /** Changes with the list, and is the same in every process that read the same list. */
  readonly version: string;
  readonly postals: readonly (readonly [code: string, x: number, y: number])[];
}

const Coordinate = Type.Number({
  minimum: -worldEdge,
  maximum: worldEdge,
  ...inWords(`must be a number of metres from ${-worldEdge} to ${worldEdge}`),
});

/**
 * A `PostalList` as JSON; empty where the server has none. Browsers keep it: with its ETag, which is the version, in
 * `If-None-Match` the answer is 304 until the list changes.
 */
export const listPostals = defineOperation({
  id: "postals.list",
  method: "GET",
  path: "/api/postals",
  summary: "All postal codes of the map with their places: {version, postals: [[code, x, y]]}",
  access: access.character(),
  rate: "read",
  input: {},
  output: null,
  answer: "file",
  example: {},
});

/** The exact code first, then codes that begin with it, then those that contain it; case and accents do not matter. */
export const searchPostals = defineOperation({
  id: "postals.search",
  method: "GET",
  path: "/api/postals/search",
  summary: "Find postal codes by a part of the code",
  access: access.character(),
  rate: "search",
  input: {
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: longestCode }),
      limit: Type.Integer({ minimum: 1, maximum: mostFound, default: 20 }),
    }),
  },
  output: Type.Object({ postals: Type.Array(Postal, { maxItems: mostFound }) }),
  example: { query: { q: "100" }, output: { postals: [{ code: "1001", x: -120.5, y: 33.1 }] } },
});

/** Null where the server has no postal codes. */
export const nearestPostal = defineOperation({
  id: "postals.nearest",
  method: "GET",
  path: "/api/postals/nearest",
  summary: "The postal code nearest to a place of the map",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ x: Coordinate, y: Coordinate }) },
  output: Type.Object({
    nearest: Nullable(
      Type.Object({ code: Type.String(), distance: Type.Number({ minimum: 0, description: "In a straight line, in metres" }) }),
    ),
  }),
  example: { query: { x: -118, y: 30 }, output: { nearest: { code: "1001", distance: 4 } } },
});

export const postalsContract = { operations: [listPostals, searchPostals, nearestPostal] };
