import type { Tx } from "#core/ports/index.ts";
import type { StatementEvent } from "#infra/db/unit.ts";

export interface WriteWatch {
  /** The tables in which committed transactions have changed rows since the last `reset`, sorted. */
  tables(): string[];
  reset(): void;
}

/** Tables that a refused call may still write: the refusal, the attempt to sign in, and the last use of the session. */
export const tablesOfRefusals: readonly string[] = [
  "audit_entries",
  "audit_postings",
  "audit_suffixes",
  "audit_words",
  "auth_sessions",
  "auth_failures",
];

/** Units of the relay, of leases and worker tasks, and those that begin and end the run of a schedule. They run at any time. */
const background = /^(?:(?:outbox|leases|tasks)\.|jobs\.(?:begin|end)$)/;

/** Every reaction writes here that it has handled an event; reactions to earlier changes run at any time. */
const handledEvents = "outbox_inbox";

const writing =
  /^\s*(?:insert\s+(?:or\s+\w+\s+|ignore\s+)?into|replace\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+[`"]?(\w+)/i;

/** The table that a statement writes; null for one that only reads. */
export function writtenTable(sql: string): string | null {
  return writing.exec(sql)?.[1] ?? null;
}

/**
 * Observes the statements of a database. What is rolled back does not count, nor what changes no row, nor what
 * runs in the background: reactions to events, the relay, leases, worker tasks, and the records of runs of schedules.
 * What is written after the answer to a request is seen only from then on.
 */
export function watchWrites(db: { observe(listener: (event: StatementEvent) => void): unknown }): WriteWatch {
  const written = new Set<string>();
  const units = new WeakMap<Tx, Set<string>>();
  const tablesOf = (tx: Tx): Set<string> => {
    const known = units.get(tx);
    if (known) return known;
    const tables = new Set<string>();
    units.set(tx, tables);
    tx.afterCommit(() => {
      if (!tables.has(handledEvents)) for (const table of tables) written.add(table);
    });
    return tables;
  };
  db.observe(({ unit, sql, tx, rows, failed }) => {
    const table = failed || rows === 0 || background.test(unit) ? null : writtenTable(sql);
    if (table !== null) tablesOf(tx).add(table);
  });
  return { tables: () => [...written].toSorted(), reset: () => written.clear() };
}
