import type { Dsn } from "#core/dsn.ts";
import type { BrokerUrl } from "#core/dsn.ts";
import type { BrokerState, Clock, DatabaseFacts, Diagnostics } from "#core/ports/index.ts";
import { examineBroker } from "./installation/shared.ts";
import { countedZone, installationOf } from "./installation/index.ts";
import type { SqlDatabase } from "./db/database.ts";
import type { Migrator } from "./db/migrations/migrator.ts";

export interface DiagnosticsOptions {
  readonly db: SqlDatabase;
  readonly migrator: Migrator;
  readonly clock: Clock;
  readonly dsn: Dsn;
  readonly nats: { readonly url: BrokerUrl; readonly replicas: number };
  /** State of the running process's own broker connection; the embedded broker has no other. */
  readonly state?: () => BrokerState;
  /** See `refusedColumns` of the facts. */
  refusedColumns(): Promise<readonly string[]>;
}

const mariadbFacts =
  "select version() as version, default_collation_name as collation from information_schema.schemata where schema_name = database()";
const sqliteFacts = "select sqlite_version() as version";

export function createDiagnostics({ db, migrator, clock, dsn, nats, state, refusedColumns }: DiagnosticsOptions): Diagnostics {
  /** Null also if the table is missing or the database is down: the broker is examined nevertheless. */
  const installation = async () => await db.read("doctor.installation", installationOf).catch(() => null);

  return {
    async broker() {
      const id = await installation();
      const facts = await examineBroker({ ...nats, dsn, clock }, id);
      const own = state?.();
      return own === undefined || !facts.up ? facts : { ...facts, up: own.up, reason: own.reason };
    },
    async database(): Promise<DatabaseFacts> {
      const row = await db.exclusive("doctor.facts", async ({ connection }) => {
        const { rows } = await connection.execute(db.kind === "sqlite" ? sqliteFacts : mariadbFacts, []);
        return rows[0] ?? {};
      });
      const before = clock.now();
      const databaseNow = await db.read("doctor.clock", async (tx) => await db.now(tx));
      const after = clock.now();
      const { applied, pending } = await migrator.status();
      return {
        version: String(row["version"] ?? ""),
        collation: typeof row["collation"] === "string" ? row["collation"] : null,
        wantedCollation: dsn.kind === "sqlite" ? null : dsn.collation,
        applied: applied.length,
        pending,
        clockAheadMs: Math.round(databaseNow - (before + after) / 2),
        // The table is missing while migrations are pending.
        countedZone: await db.read("doctor.zone", countedZone).catch(() => null),
        refusedColumns: await refusedColumns(),
      };
    },
  };
}
