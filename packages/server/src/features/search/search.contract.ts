import { Type, type Static } from "typebox";
import { access, defineOperation, Nullable, OneOf, searchMatches } from "#core/contract/index.ts";

export const SearchResult = Type.Object({
  kind: Type.String({ description: "Feature that holds the object, for example `citizens`" }),
  id: Type.Integer(),
  /** The id to display, for example `CIT-12`. */
  ref: Type.String(),
  title: Type.String(),
  subtitle: Nullable(Type.String()),
  match: OneOf(searchMatches, {
    description: "Whole words, the beginning of words or a part of numbers, or a similar spelling; of several words the weakest",
  }),
  score: Type.Number(),
});
export type SearchResult = Static<typeof SearchResult>;

/**
 * Objects of every kind that the viewer may see: whole words first, then beginnings, then similar ones; at most ten of
 * a kind, or fifty of the one that is asked for.
 */
export const searchAll = defineOperation({
  id: "search.all",
  method: "GET",
  path: "/api/search",
  summary: "Search everything that the viewer may see",
  access: access.character(),
  rate: "search",
  input: {
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 64 }),
      kind: Type.Optional(Type.String({ maxLength: 32, description: "Only objects of this kind" })),
    }),
  },
  output: Type.Object({ results: Type.Array(SearchResult) }),
  example: {
    query: { q: "lind" },
    output: {
      results: [
        {
          kind: "citizens",
          id: 12,
          ref: "CIT-12",
          title: "Mara Lind",
          subtitle: "Police",
          match: "whole",
          score: 0.9,
        },
      ],
    },
  },
});

export const searchContract = { operations: [searchAll] };
