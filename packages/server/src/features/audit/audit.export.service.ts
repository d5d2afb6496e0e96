import type { CallContext } from "#core/feature.ts";
import type { InputOf } from "#core/contract/index.ts";
import type { FileAnswer } from "#core/contract/operation.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "./audit.api.ts";
import { type AuditEntry, type exportAudit, mostExported } from "./audit.contract.ts";
import { readerOf } from "./audit.policy.ts";
import { entryOf } from "./audit.output.policy.ts";
import type { AuditPage, AuditSearch } from "./audit.search.service.ts";

const rowsPerChunk = 500;

export interface ExportDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Pick<AuditApi, "record">;
  readonly search: AuditSearch;
  /** Most entries of one export; 100,000 unless a test sets another number. */
  readonly most?: number;
}

type Query = InputOf<typeof exportAudit>["query"];

/** Entries of one read; null at the end when the export is cut. */
type Chunk = readonly AuditEntry[] | null;

/** Streams the entries that a reader sees as JSON. */
export class AuditExport {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #audit: Pick<AuditApi, "record">;
  readonly #search: AuditSearch;
  readonly #most: number;

  constructor({ db, clock, audit, search, most = mostExported }: ExportDeps) {
    this.#db = db;
    this.#clock = clock;
    this.#audit = audit;
    this.#search = search;
    this.#most = most;
  }

  async answer(call: CallContext, query: Query): Promise<FileAnswer> {
    await this.#db.write(
      "audit.exportBegun",
      async (tx) => await this.#audit.record(tx, call.actor, { action: "audit.export", info: { ...query } }),
    );
    return {
      type: "application/json; charset=utf-8",
      name: `audit-${new Date(this.#clock.now()).toISOString().slice(0, 10)}.json`,
      body: this.#json(this.#read(call, query)),
    };
  }

  async *#read(call: CallContext, query: Query): AsyncGenerator<Chunk> {
    const reader = readerOf(call.actor);
    // Without an end, the export would go on with entries that are written while it runs.
    const bounded = { ...query, to: query.to ?? this.#clock.now() };
    let page: AuditPage = {};
    for (let sent = 0; ;) {
      const limit = Math.min(rowsPerChunk, this.#most - sent);
      if (limit === 0) return yield null;
      const wanted = { ...bounded, ...page, limit };
      const { items, next } = await this.#db.read("audit.export", async (tx) => await this.#search.find(tx, reader, wanted));
      sent += items.length;
      yield items.map(entryOf);
      if (next === null) return;
      page = { cursor: next };
    }
  }

  async *#json(chunks: AsyncGenerator<Chunk>): AsyncGenerator<string> {
    let between = '{"entries":[\n';
    let cut = false;
    for await (const chunk of chunks) {
      if (chunk === null) cut = true;
      else if (chunk.length > 0) {
        yield between + chunk.map((entry) => JSON.stringify(entry)).join(",\n");
        between = ",\n";
      }
    }
    yield `${between.startsWith("{") ? between : "\n"}],"cut":${cut}}\n`;
  }
}
