import { callProcedure } from "#core/db/procedure.ts";
import type { Search } from "#core/ports/search.ts";
import { maxHits, searchProcedure } from "./find.ts";
import { codeRange } from "./keys.ts";
import { wordsOf } from "./normalise.ts";
import { putDocuments, removeDocuments } from "./write.ts";

/**
 * Search over short texts. Words of letters are found through a dictionary of the words in use, codes (anything with
 * a digit) by their parts. A search runs at most two statements, and one before them that counts what the viewer may see.
 */
export function createSearch(): Search {
  return {
    put: putDocuments,
    remove: removeDocuments,
    find: async (tx, kind, query, { limit, fields, visible }) =>
      await callProcedure(tx, searchProcedure, {
        kind,
        query,
        limit: Math.min(Math.max(0, limit), maxHits),
        fields: fields ?? null,
        visible: visible ?? null,
      }),
    containing(kind, part) {
      const code = wordsOf(part).join("");
      if (code.length < 2) return null;
      const { from, to } = codeRange(kind, code);
      return { sql: "select id from search_codes where part >= ? and part < ?", params: [from, to] };
    },
  };
}
