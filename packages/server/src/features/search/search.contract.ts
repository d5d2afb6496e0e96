import { Type, type Static } from "typebox";
import { access, defineOperation, Nullable } from "#core/contract/index.ts";

export const SearchResult = Type.Object({
  kind: Type.String({ description: "Feature that holds the object, for example `citizens`" }),
  id: Type.Integer(),
  /** The id to display, for example `CIT-12`. */
  ref: Type.String(),
  title: Type.String(),
  subtitle: Nullable(Type.String()),
  score: Type.Number(),
});
export type SearchResult = Static<typeof SearchResult>;

/** Objects of every kind that the viewer may see, best match first, at most ten of a kind. */
export const searchAll = defineOperation({
  id: "search.all",
  method: "GET",
  path: "/api/search",
  summary: "Search everything that the viewer may see",
  access: access.character(),
  rate: "search",
  input: { query: Type.Object({ q: Type.String({ minLength: 1, maxLength: 64 }) }) },
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
          score: 0.9,
        },
      ],
    },
  },
});

export const searchContract = { operations: [searchAll] };
