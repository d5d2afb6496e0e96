import type { Connection, ResultSetHeader, RowDataPacket } from "mysql2/promise";

/**
 * The baseline of the ingest: the same rows that the program stored, read from its database and
 * upserted into an equal one with the driver only. No HTTP, validation, hashing, comparison with
 * stored rows, or events.
 */

type Rows = RowDataPacket[];

/** The rows that the program wrote for one call of the Sync API, by table. */
export interface WrittenBatch {
  readonly size: number;
  readonly tables: readonly (readonly [table: string, rows: Rows])[];
}

const childTables = {
  citizens: [
    ["citizens_jobs", "citizen_id"],
    ["citizens_phones", "citizen_id"],
    ["citizens_licences", "citizen_id"],
  ],
  vehicles: [],
} as const;

async function read(from: Connection, sql: string, values: readonly unknown[]): Promise<Rows> {
  const [rows] = await from.query<Rows>(sql, [...values]);
  return rows;
}

/** Words that are new in this batch, with the keys of similar ones, and the parts of its codes. */
async function searchRows(
  from: Connection,
  kind: string,
  ids: readonly number[],
  knownWords: Set<number>,
): Promise<[string, Rows][]> {
  const documents = await read(from, "select * from search_documents where kind = ? and id in (?) order by id", [kind, ids]);
  const postings = await read(
    from,
    "select p.* from search_postings p join search_words w on w.word = p.word where w.kind = ? and p.id in (?) order by p.word, p.id",
    [kind, ids],
  );
  const fresh = [...new Set(postings.map((row) => row["word"] as number))].filter((word) => !knownWords.has(word));
  fresh.forEach((word) => knownWords.add(word));
  const words = fresh.length === 0 ? [] : await read(from, "select * from search_words where word in (?) order by word", [fresh]);
  const variants =
    fresh.length === 0 ? [] : await read(from, "select * from search_variants where word in (?) order by variant, word", [fresh]);
  const [code] = (await read(from, "select min(part) as low from search_codes where id in (?)", [ids])) as {
    low: number | null;
  }[];
  const space = Math.floor((code?.low ?? 0) / 2 ** 32) * 2 ** 32;
  const codes = await read(from, "select * from search_codes where id in (?) and part >= ? and part < ? order by part, id", [
    ids,
    space,
    space + 2 ** 32,
  ]);
  return [
    ["search_words", words],
    ["search_documents", documents],
    ["search_postings", postings],
    ["search_variants", variants],
    ["search_codes", codes],
  ];
}

export interface TakeOut {
  readonly kind: "citizens" | "vehicles";
  /** Keys of the items of each call, in the order in which they were sent. */
  readonly batches: readonly (readonly string[])[];
  /** Leaves out the search tables: a change of other fields does not touch them. */
  readonly search: boolean;
  readonly knownWords: Set<number>;
  /** Events after this number belong to these calls. */
  readonly afterEvent: number;
}

export async function takeOut(
  from: Connection,
  { kind, batches, search, knownWords, afterEvent }: TakeOut,
): Promise<WrittenBatch[]> {
  const key = kind === "citizens" ? "identifier" : "plate";
  const events = await read(from, "select * from outbox_events where id > ? and type = ? order by id", [
    afterEvent,
    `${kind}.changed`,
  ]);
  const written: WrittenBatch[] = [];
  for (const [at, keys] of batches.entries()) {
    const main = await read(from, `select * from ${kind} where ${key} in (?) order by id`, [keys]);
    const ids = main.map((row) => row["id"] as number);
    const tables: [string, Rows][] = [[kind, main]];
    for (const [table, column] of childTables[kind])
      tables.push([table, await read(from, `select * from ${table} where ${column} in (?)`, [ids])]);
    if (search) tables.push(...(await searchRows(from, kind, ids, knownWords)));
    const perCall = events.length / batches.length;
    // As they were written, before they were published.
    const own = events
      .slice(at * perCall, (at + 1) * perCall)
      .map((row) => ({ ...row, sent_at: null, claimed_by: null, claimed_until: null }));
    tables.push(["outbox_events", own]);
    written.push({ size: keys.length, tables: tables.filter(([, rows]) => rows.length > 0) });
  }
  return written;
}

function statementOf(table: string, rows: Rows): { text: string; values: unknown[][] } {
  const columns = Object.keys(rows[0]!);
  const updates = columns.map((name) => `${name} = values(${name})`).join(", ");
  return {
    text: `insert into ${table} (${columns.join(", ")}) values ? on duplicate key update ${updates}`,
    values: rows.map((row) => columns.map((name) => row[name] as unknown)),
  };
}

/** Upserts the batches, each in one transaction with one statement a table; the milliseconds it took. */
export async function upsertBare(to: Connection, batches: readonly WrittenBatch[], only?: string): Promise<number> {
  const statements = batches.map(({ tables }) =>
    tables.filter(([table]) => only === undefined || table === only).map(([table, rows]) => statementOf(table, rows)),
  );
  const started = performance.now();
  for (const batch of statements) {
    await to.query("start transaction");
    for (const { text, values } of batch) await to.query<ResultSetHeader>(text, [values]);
    await to.query("commit");
  }
  return performance.now() - started;
}

/** The same tables, empty. */
export async function copySchema(from: Connection, fromName: string, to: Connection): Promise<void> {
  const tables = await read(
    from,
    "select table_name as name from information_schema.tables where table_schema = ? and table_type = 'BASE TABLE'",
    [fromName],
  );
  for (const { name } of tables as { name: string }[]) await to.query(`create table ${name} like ${fromName}.${name}`);
}

/** The rows of earlier calls, so that both databases have the same content. */
export async function copyRows(fromName: string, to: Connection, tables: readonly string[]): Promise<void> {
  for (const table of tables) await to.query(`insert ignore into ${table} select * from ${fromName}.${table}`);
}

export async function lastEvent(from: Connection): Promise<number> {
  const [row] = await read(from, "select coalesce(max(id), 0) as id from outbox_events", []);
  return Number(row!["id"]);
}
