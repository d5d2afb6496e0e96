import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { OwnDatabase } from "./backing.ts";
import type { Instance } from "./program.ts";

/** Rows of a statement, its columns as text joined by tabs; empty text for null. */
export type Query = (sql: string) => string[];

export function queryFile(file: string): Query {
  return (sql) => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) =>
          Object.values(row)
            .map((value) => String(value ?? ""))
            .join("\t"),
        );
    } finally {
      database.close();
    }
  };
}

/** Reads the database with a connection of its own. Each column must be text or a number. */
export function queryOf(instance: Instance, database: OwnDatabase | null): Query {
  if (database) return (sql) => database.query(sql);
  return queryFile(path.join(instance.folder, "data", "rollcall.db"));
}
