import type { User, Vehicle } from "@rollcall/sync-sdk";
import { nameKey, recordOf, textsOf } from "../../packages/server/src/features/citizens/citizens.record.policy.ts";
import { columnsOf, plateKey, textsOf as vehicleTexts } from "../../packages/server/src/features/vehicles/vehicles.policy.ts";
import { encodeTexts, entriesOf, storedTexts, type WordEntry } from "../../packages/server/src/infra/search/document.ts";
import { variantsOf } from "../../packages/server/src/infra/search/keys.ts";
import type { SearchText } from "../../packages/server/src/core/ports/search.ts";

export type Value = string | number | null;

/** Rows of a table in the order of its primary key. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly Value[]>;
}

const at = 1_790_000_000_000;
const synced = { sync_hash: "", search_hash: "", source: "bench", version: 1, created_at: at, updated_at: at, deleted_at: null };

/** Ids stay below, so that a key of 32 bits and an id fit into one number. */
const idSpace = 2 ** 20;

function* pairs(packed: readonly number[], first: (upper: number) => number): Generator<Value[]> {
  for (const value of Float64Array.from(packed).sort()) yield [first(Math.floor(value / idSpace)), value % idSpace];
}

/** The search index of the objects of one kind, with ids from 1. */
function indexRows(kind: string, count: number, textsAt: (index: number) => readonly SearchText[]): TableRows[] {
  const words = new Map<number, WordEntry & { readonly number: number }>();
  const documents: [number, string, number][] = [];
  const postings: number[] = [];
  const codes: number[] = [];
  let codeBase = 0;
  for (let index = 0; index < count; index++) {
    const id = index + 1;
    const texts = storedTexts({ id, texts: textsAt(index) });
    const entries = entriesOf(kind, texts);
    documents.push([id, encodeTexts(texts), entries.beginnings]);
    for (const entry of entries.words.values()) {
      const known = words.get(entry.word) ?? { ...entry, number: words.size };
      words.set(entry.word, known);
      postings.push(known.number * idSpace + id);
    }
    for (const part of entries.codes) {
      codeBase = Math.floor(part / 2 ** 32) * 2 ** 32;
      codes.push((part - codeBase) * idSpace + id);
    }
  }
  const byHash = [...words.values()].sort((a, b) => a.word - b.word);
  const place = new Map(byHash.map(({ number }, sorted) => [number, sorted]));
  const variants = byHash.flatMap(({ text }, sorted) => variantsOf(kind, text).map((variant) => variant * idSpace + sorted));
  const wordAt = (sorted: number) => byHash[sorted]!.word;
  const moved = postings.map((value) => place.get(Math.floor(value / idSpace))! * idSpace + (value % idSpace));
  const marks = new Map<number, number>();
  for (const [id, , beginnings] of documents) marks.set(id, beginnings);
  return [
    {
      table: "search_documents",
      columns: ["kind", "id", "texts", "beginnings"],
      rows: documents.map(([id, texts, beginnings]) => [kind, id, texts, beginnings]),
    },
    {
      table: "search_words",
      columns: ["word", "kind", "field", "text", "weight"],
      rows: byHash.map(({ word, field, text, weight }) => [word, kind, field, text, weight]),
    },
    {
      table: "search_postings",
      columns: ["word", "id", "beginnings"],
      rows: (function* () {
        for (const [word, id] of pairs(moved, wordAt)) yield [word!, id!, marks.get(id as number)!];
      })(),
    },
    { table: "search_codes", columns: ["part", "id"], rows: pairs(codes, (part) => codeBase + part) },
    {
      table: "search_variants",
      columns: ["variant", "word"],
      rows: (function* () {
        for (const [variant, sorted] of pairs(variants, (key) => key)) yield [variant!, wordAt(sorted as number)];
      })(),
    },
  ];
}

const valuesOf = (row: Readonly<Record<string, unknown>>, columns: readonly string[]) =>
  columns.map((name) => (row[name] ?? null) as Value);

/** Everything that the program stores of these people; the first one has the id 1. */
export function citizenRows(users: readonly User[]): TableRows[] {
  const recordAt = (index: number) => recordOf(users[index]!, null);
  const [first] = [recordAt(0)];
  const columns = ["id", ...Object.keys(first.columns), "name_key", ...Object.keys(synced)];
  const listOf = function* (name: "jobs" | "phones" | "licences", of: readonly string[]): Generator<Value[]> {
    for (let index = 0; index < users.length; index++)
      for (const row of recordAt(index).lists[name] ?? []) yield [index + 1, ...valuesOf(row, of)];
  };
  return [
    {
      table: "citizens",
      columns,
      rows: (function* () {
        for (let index = 0; index < users.length; index++) {
          const { columns: own } = recordAt(index);
          const row = { id: index + 1, ...own, name_key: nameKey(own.first_name, own.last_name), ...synced };
          yield valuesOf(row, columns);
        }
      })(),
    },
    {
      table: "citizens_jobs",
      columns: ["citizen_id", "job", "grade", "is_primary"],
      rows: listOf("jobs", ["job", "grade", "is_primary"]),
    },
    {
      table: "citizens_phones",
      columns: ["citizen_id", "number", "digits", "is_primary"],
      rows: listOf("phones", ["number", "digits", "is_primary"]),
    },
    { table: "citizens_licences", columns: ["citizen_id", "type"], rows: listOf("licences", ["type"]) },
    ...indexRows("citizens", users.length, (index) => {
      const { columns: own, lists } = recordAt(index);
      return textsOf(own, { jobs: [], licences: [], phones: lists.phones ?? [] });
    }),
  ];
}

export function vehicleRows(vehicles: readonly Vehicle[]): TableRows[] {
  const own = vehicles.map((vehicle) => columnsOf(vehicle as never, null));
  const columns = ["id", ...Object.keys(own[0]!), "plate_key", ...Object.keys(synced)];
  return [
    {
      table: "vehicles",
      columns,
      rows: own.map((row, index) => valuesOf({ id: index + 1, ...row, plate_key: plateKey(row.plate), ...synced }, columns)),
    },
    ...indexRows("vehicles", vehicles.length, (index) => vehicleTexts(own[index]!)),
  ];
}
