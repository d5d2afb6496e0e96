import type { Dsn } from "#core/dsn.ts";
import type { Broker, BrokerFacts, Clock, DatabaseFacts, Diagnostics } from "#core/ports/index.ts";
import type { SqlDatabase } from "./db/database.ts";
import type { Migrator } from "./db/migrations/migrator.ts";

export interface DiagnosticsParts {
  readonly db: SqlDatabase;
  readonly migrator: Migrator;
  readonly clock: Clock;
  readonly dsn: Dsn;
  broker(): Promise<BrokerFacts>;
}

/** What the running process knows of its broker. */
export function brokerFacts(broker: Broker): BrokerFacts {
  const { up, reason } = broker.state();
  return { kind: broker.kind, up, reason };
}

const mariadbFacts =
  "select version() as version, default_collation_name as collation from information_schema.schemata where schema_name = database()";
const sqliteFacts = "select sqlite_version() as version";

export function createDiagnostics({ db, migrator, clock, dsn, broker }: DiagnosticsParts): Diagnostics {
  return {
    broker,
    async database(): Promise<DatabaseFacts> {
      const row = await db.exclusive("doctor.facts", async ({ connection }) => {
        const { rows } = await connection.execute(db.kind === "sqlite" ? sqliteFacts : mariadbFacts, []);
        return rows[0] ?? {};
      });
      const asked = clock.now();
      const theirs = await db.read("doctor.clock", async (tx) => await db.now(tx));
      const answered = clock.now();
      const { applied, pending } = await migrator.status();
      return {
        version: String(row["version"] ?? ""),
        collation: typeof row["collation"] === "string" ? row["collation"] : null,
        wantedCollation: dsn.kind === "sqlite" ? null : dsn.collation,
        applied: applied.length,
        pending,
        clockAheadMs: Math.round(theirs - (asked + answered) / 2),
      };
    },
  };
}
