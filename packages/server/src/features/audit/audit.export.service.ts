import type { CallContext } from "#core/feature.ts";
import type { InputOf } from "#core/contract/index.ts";
import type { Cursor } from "#core/cursor.ts";
import type { FileAnswer } from "#core/contract/operation.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "./audit.api.ts";
import { type AuditEntry, type exportAudit, mostExported } from "./audit.contract.ts";
import { csvCell } from "./audit.policy.ts";
import { type AuditService, entryOf, readerOf } from "./audit.service.ts";

const rowsAtOnce = 500;

const columns: readonly (readonly [string, (entry: AuditEntry) => string | number | null])[] = [
  ["id", ({ id }) => id],
  ["time", ({ at }) => new Date(at).toISOString()],
  ["actor_kind", ({ actor }) => actor.kind],
  ["actor", ({ actor }) => actor.name],
  ["character", ({ actor }) => actor.characterName],
  ["character_id", ({ actor }) => actor.characterId],
  ["job", ({ actor }) => actor.job],
  ["grade", ({ actor }) => actor.grade],
  ["job_admin_reason", ({ actor }) => actor.adminReason],
  ["address", ({ address }) => address],
  ["program", ({ program }) => program],
  ["action", ({ action }) => action],
  ["result", ({ result }) => result],
  ["object_kind", ({ object }) => object?.kind ?? null],
  ["object_id", ({ object }) => object?.id ?? null],
  ["target_kind", ({ target }) => target?.kind ?? null],
  ["target_id", ({ target }) => target?.id ?? null],
  ["times", ({ folded }) => folded],
  ["before", ({ before }) => jsonOf(before)],
  ["after", ({ after }) => jsonOf(after)],
  ["info", ({ info }) => jsonOf(info)],
  ["trace", ({ traceId }) => traceId],
];

const jsonOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
const lineOf = (cells: readonly (string | number | null)[]) => `${cells.map(csvCell).join(",")}\r\n`;

export interface ExportDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Pick<AuditApi, "record">;
  readonly service: AuditService;
  /** Most entries of one export; 100,000 unless a test says so. */
  readonly most?: number;
}

export function createAuditExport({ db, clock, audit, service, most = mostExported }: ExportDeps) {
  type Query = InputOf<typeof exportAudit>["query"];

  /** Page by page; a last null says that there was more. */
  async function* entries(call: CallContext, query: Omit<Query, "format">): AsyncGenerator<readonly AuditEntry[] | null> {
    const reader = readerOf(call.actor);
    // Entries written meanwhile, its own among them, would move nothing but have no end.
    const asked = { ...query, to: query.to ?? clock.now() };
    let after: Cursor | null = null;
    for (let sent = 0; ;) {
      const limit = Math.min(rowsAtOnce, most - sent);
      if (limit === 0) return yield null;
      const found: Awaited<ReturnType<AuditService["find"]>> = await db.read(
        "audit.export",
        async (tx) => await service.find(tx, reader, asked, after, limit),
      );
      sent += found.items.length;
      yield found.items.map(entryOf);
      if (found.next === null) return;
      after = found.next;
    }
  }

  async function* csv(pages: AsyncGenerator<readonly AuditEntry[] | null>): AsyncGenerator<string> {
    yield `\u{FEFF}${lineOf(columns.map(([name]) => name))}`;
    for await (const page of pages) {
      yield page === null
        ? lineOf([`Cut after ${most} entries: narrow the filters for the rest.`])
        : page.map((entry) => lineOf(columns.map(([, cell]) => cell(entry)))).join("");
    }
  }

  async function* json(pages: AsyncGenerator<readonly AuditEntry[] | null>): AsyncGenerator<string> {
    let between = '{"entries":[\n';
    let cut = false;
    for await (const page of pages) {
      if (page === null) cut = true;
      else if (page.length > 0) {
        yield between + page.map((entry) => JSON.stringify(entry)).join(",\n");
        between = ",\n";
      }
    }
    yield `${between.startsWith("{") ? between : "\n"}],"cut":${cut}}\n`;
  }

  return async function exported(call: CallContext, { format, ...query }: Query): Promise<FileAnswer> {
    await db.write(
      "audit.exportBegun",
      async (tx) => await audit.record(tx, call.actor, { action: "audit.export", info: { format, ...query } }),
    );
    const pages = entries(call, query);
    const name = `audit-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`;
    return format === "csv"
      ? { type: "text/csv; charset=utf-8", name, body: csv(pages) }
      : { type: "application/json; charset=utf-8", name, body: json(pages) };
  };
}
