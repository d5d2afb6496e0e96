import type { Page } from "#core/contract/index.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Search, Storage, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { FileKind } from "./files.api.ts";
import { type FileRow, filesErrors } from "./files.contract.ts";
import { graceMs } from "./files.clean.service.ts";
import { megabyte } from "./files.policy.ts";
import * as repo from "./files.repo.ts";
import { filesSearchKind, type FilesService } from "./files.service.ts";

const mostCounted = 1000;
const mostHits = 200;

export interface BrowseDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly storage: Storage;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly kinds: ReadonlyMap<string, FileKind>;
  readonly address: FilesService["address"];
}

export interface FilesQuery {
  readonly q?: string;
  readonly namespace?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

/** What config admins see and do of everything that was uploaded. */
export function createFilesBrowser(deps: BrowseDeps) {
  /** References with the names of what refers, one statement per kind. */
  async function labelled(tx: Tx, ids: readonly number[]) {
    const references = await repo.referencesTo(tx, ids);
    const labels = new Map<string, ReadonlyMap<string, string>>();
    for (const kind of new Set(references.map((one) => one.kind))) {
      const owners = references.filter((one) => one.kind === kind).map(({ owner }) => owner);
      labels.set(kind, (await deps.kinds.get(kind)?.labels(tx, owners)) ?? new Map());
    }
    return references.map(({ kind, owner, file_id }) => ({
      file: file_id,
      reference: { kind, owner, label: labels.get(kind)?.get(owner) ?? owner },
    }));
  }

  async function list(call: CallContext, query: FilesQuery): Promise<Page<FileRow>> {
    const account = call.account();
    const limit = query.limit ?? 50;
    return await deps.db.read("files.list", async (tx) => {
      const q = query.q?.trim() ?? "";
      const hits = q === "" ? null : await deps.search.find(tx, filesSearchKind, q, { limit: mostHits });
      if (hits?.length === 0) return { items: [], next: null, total: 0, totalCapped: false };
      const filter: repo.FileFilter = {
        ...(hits === null ? {} : { ids: hits.map(({ id }) => id) }),
        ...(query.namespace === undefined ? {} : { namespace: query.namespace }),
      };
      const after = query.cursor === undefined ? {} : { before: readCursor(query.cursor).id };
      const found = await repo.list(tx, { ...filter, ...after }, limit + 1);
      const rows = found.slice(0, limit);
      const references = await labelled(
        tx,
        rows.map(({ id }) => id),
      );
      const total = await repo.count(tx, filter, mostCounted + 1);
      return {
        items: rows.map((row) => ({
          ...deps.address(account, row.id),
          name: row.name,
          type: row.type,
          size: row.size,
          width: row.width,
          height: row.height,
          namespace: row.namespace,
          kind: row.kind,
          bytes: row.size + row.thumbnail_size,
          uploader: row.uploader,
          accountId: row.account_id,
          createdAt: row.created_at,
          goesAt: row.loose_since === null ? null : row.loose_since + graceMs,
          references: references.filter(({ file }) => file === row.id).map(({ reference }) => reference),
        })),
        next: found.length > limit ? writeCursor({ key: "", id: rows.at(-1)?.id ?? 0 }) : null,
        total: Math.min(total, mostCounted),
        totalCapped: total > mostCounted,
      };
    });
  }

  async function remove(call: CallContext, id: number, reason: string): Promise<void> {
    await deps.db.write("files.delete", async (tx) => {
      const row = await repo.find(tx, id);
      if (!row) throw new AppError(filesErrors.notFound);
      const references = await repo.referencesTo(tx, [id]);
      const at = deps.clock.now();
      await repo.unrefer(tx, references, at);
      await repo.markDeleted(tx, [id], at);
      await deps.search.remove(tx, filesSearchKind, [id]);
      for (const { kind, owner } of references) await deps.kinds.get(kind)?.lost(tx, owner);
      const before = { name: row.name, type: row.type, size: row.size, kind: row.kind, uploader: row.uploader };
      await deps.audit.record(tx, call.actor, {
        action: "files.delete",
        object: { kind: "file", id },
        before,
        info: { reason, references: references.map(({ kind, owner }) => `${kind} ${owner}`) },
      });
    });
  }

  return {
    list,
    remove,
    async usage() {
      const { files } = await deps.settings.current();
      const namespaces = await deps.db.read("files.usage", repo.usage);
      return { storage: deps.storage.kind, maxUploadBytes: files.maxUploadMegabytes * megabyte, namespaces };
    },
  };
}

export type FilesBrowser = ReturnType<typeof createFilesBrowser>;
