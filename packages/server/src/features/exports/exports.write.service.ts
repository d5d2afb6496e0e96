import { byteOrderMark, csvLine } from "#core/csv.ts";
import { AppError } from "#core/errors.ts";
import { objectKey } from "#core/own-objects.ts";
import type { ExportTexts } from "#core/texts.ts";
import {
  type Clock,
  type Database,
  type ExportKind,
  type ExportPage,
  type ExportQuery,
  type Ids,
  type Log,
  type RunningTaskOutside,
  type Storage,
  TaskLost,
  type Tx,
} from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import type { AuthApi } from "#features/auth/auth.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { exportFailed, exportReady, exportsErrors, writeExport } from "./exports.contract.ts";
import { refusalOf, stateAfter } from "./exports.policy.ts";
import * as repo from "./exports.repo.ts";

/** Where the files of exports are stored. */
export const exportsNamespace = "exports";

/** The most rows that one snapshot reads. */
const rowsPerPage = 500;
const megabyte = 1_000_000;
const mostBytes = 250 * megabyte;

export interface WriterDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly storage: Storage;
  readonly auth: AuthApi;
  readonly notifications: NotificationsApi;
  readonly zone: string;
  kind(id: string): ExportKind | null;
  texts(kind: string, language: "en" | "de"): ExportTexts;
}

type Task = RunningTaskOutside<typeof writeExport>;

/** What an attempt came to; null when its export is gone. */
export type Written =
  | { readonly rows: number; readonly bytes: number }
  | { readonly error: string; readonly params: Readonly<Record<string, string | number>> }
  | null;

interface Progress {
  rows: number;
  bytes: number;
}

/** Writes the files of exports, as a worker task. */
export class ExportWriter {
  readonly #deps: WriterDeps;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** Each attempt writes an object of its own and begins with the first row. */
  async run(task: Task, signal: AbortSignal): Promise<Written> {
    const { db, storage, log } = this.#deps;
    const begun = await this.#begin(task);
    if (!begun) return null;
    const { row, key } = begun;
    if (row.object_key !== null) await storage.remove(row.object_key);
    const written: Progress = { rows: 0, bytes: 0 };
    try {
      await storage.put(key, this.#bytes(row, task, signal, written), { type: "text/csv" });
    } catch (error) {
      if (error instanceof AppError) return { error: error.definition.code, params: error.params };
      const last = task.attempt >= (writeExport.retry?.attempts ?? 1);
      if (!last || signal.aborted || error instanceof TaskLost) throw error;
      log.error({ err: error, export: row.id }, "an export failed for good");
      return { error: exportsErrors.failed.code, params: {} };
    }
    // Cancelled, or continued by another worker: nobody knows of this object.
    try {
      await db.write("exports.written", async (tx) => await task.guard(tx));
    } catch (error) {
      if (error instanceof TaskLost) await storage.remove(key);
      throw error;
    }
    return written;
  }

  /** In the transaction that ends the task. */
  async store(tx: Tx, id: number, result: Written): Promise<void> {
    const { clock, notifications } = this.#deps;
    const row = result && (await repo.find(tx, id));
    const state = row && stateAfter(row, "error" in result ? "fail" : "complete");
    if (!row || !state) return;
    const now = clock.now();
    const ended = { slot: null, finished_at: now, kept_since: now };
    const { label: name } = this.#deps.texts(row.kind, row.language as "en" | "de");
    const to = {
      recipients: [{ accountId: row.account_id }],
      key: `export/${id}`,
      ...this.#linkOf(row.kind),
    };
    if ("error" in result) {
      const error_params = JSON.stringify(result.params);
      await repo.update(tx, id, { ...ended, state, error: result.error, error_params, object_key: null });
      await notifications.notify(tx, exportFailed, { ...to, params: { name } });
    } else {
      await repo.update(tx, id, { ...ended, state, rows: result.rows, bytes: result.bytes });
      await notifications.notify(tx, exportReady, { ...to, params: { name, rows: result.rows } });
    }
  }

  async drop(key: string): Promise<void> {
    await this.#deps.storage.remove(key);
  }

  #linkOf(kind: string): { link?: string } {
    const page = this.#deps.kind(kind)?.page;
    return page === undefined ? {} : { link: page };
  }

  /** Names the object of this attempt before it exists, so that the next one can remove it. */
  async #begin(task: Task): Promise<{ readonly row: repo.ExportRow; readonly key: string } | null> {
    const { db, clock, ids } = this.#deps;
    const key = objectKey(exportsNamespace, clock.now(), ids.next());
    return await db.write("exports.begin", async (tx) => {
      await task.guard(tx);
      const row = await repo.find(tx, task.payload.id);
      if (!row || stateAfter(row, "begin") === null) return null;
      await repo.update(tx, row.id, { object_key: key });
      return { row, key };
    });
  }

  async *#bytes(row: repo.ExportRow, task: Task, signal: AbortSignal, written: Progress): AsyncGenerator<Uint8Array> {
    const kind = this.#deps.kind(row.kind);
    if (!kind) throw new AppError(exportsErrors.failed);
    const texts = this.#deps.texts(kind.id, row.language as "en" | "de");
    const encoder = new TextEncoder();
    const limit = kind.mostBytes ?? mostBytes;
    const encode = (text: string) => {
      const bytes = encoder.encode(text);
      written.bytes += bytes.byteLength;
      if (written.bytes > limit)
        throw new AppError(exportsErrors.tooLarge, { params: { megabytes: Math.ceil(limit / megabyte) } });
      return bytes;
    };
    const { actor } = await this.#queryOf(kind, row);
    // The scope keeps them the same on all pages.
    const columns = kind.columns.filter(({ visibleTo }) => visibleTo?.(actor) ?? true);
    yield encode(byteOrderMark + csvLine(columns.map(({ id }) => texts.header(id))));
    const zone = new Zone(this.#deps.zone);
    for await (const { page, total } of this.#pages(kind, row, signal)) {
      written.rows += page.rows.length;
      if (written.rows > kind.mostRows) throw new AppError(exportsErrors.tooManyRows, { params: { most: kind.mostRows } });
      task.progress(written.rows, total ?? 0);
      if (page.rows.length === 0) continue;
      const lines = page.rows.map((item) =>
        csvLine(
          columns.map(({ type, value }) => {
            const cell = value(item);
            return type === "instant" && typeof cell === "number" ? zone.iso(cell) : cell;
          }),
        ),
      );
      yield encode(lines.join(""));
    }
  }

  /** Each page in a snapshot of its own, with the rights that the person has then. */
  async *#pages(
    kind: ExportKind,
    row: repo.ExportRow,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly page: ExportPage; readonly total: number | null }> {
    const { db } = this.#deps;
    const { filter } = JSON.parse(row.filter) as { filter: unknown };
    let total: number | null = null;
    for (let after: string | null = null, first = true; first || after !== null; first = false) {
      signal.throwIfAborted();
      const query = { ...(await this.#queryOf(kind, row)), filter };
      const position: string | null = after;
      if (first) total = await db.read("exports.count", async (tx) => await kind.count(tx, query, kind.mostRows + 1));
      if (total !== null && total > kind.mostRows)
        throw new AppError(exportsErrors.tooManyRows, { params: { most: kind.mostRows } });
      const page: ExportPage = await db.read("exports.page", async (tx) => await kind.read(tx, query, position, rowsPerPage));
      const isWhole = position === null && page.next === null;
      if (isWhole && page.rows.length === 1) await kind.onlyRow?.(query, page.rows[0]);
      yield { page, total };
      after = page.next;
    }
  }

  async #queryOf(kind: ExportKind, row: repo.ExportRow): Promise<Omit<ExportQuery, "filter">> {
    const from = { address: row.address, userAgent: "", traceId: "" };
    const actor = await this.#deps.auth.present(row.session_id, row.character_id, from);
    const refusal = refusalOf(kind.access, actor);
    if (refusal) throw refusal;
    if (!actor || kind.scopeOf(actor) !== row.scope) throw new AppError(exportsErrors.refused);
    return { actor, requestedAt: row.created_at };
  }
}
