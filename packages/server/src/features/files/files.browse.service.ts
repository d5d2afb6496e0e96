import type { InputOf, Page } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { mostFound, readPage } from "#core/paging.ts";
import type { Clock, Database, Search, Storage, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { FileKind } from "./files.api.ts";
import { type FileRow, filesErrors, type listFiles } from "./files.contract.ts";
import { graceMs } from "./files.clean.service.ts";
import { filesSearchKind, megabyte, ownersByKind } from "./files.policy.ts";
import * as repo from "./files.repo.ts";
import { filesList } from "./files.schema.ts";
import type { FilesService } from "./files.service.ts";

export interface BrowseDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly storage: Storage;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly kinds: ReadonlyMap<string, FileKind>;
  readonly files: FilesService;
}

export type FilesQuery = InputOf<typeof listFiles>["query"];

/** Lists and deletes the files of all accounts. The request guard requires a config admin. */
export class FilesBrowser {
  readonly #deps: BrowseDeps;

  constructor(deps: BrowseDeps) {
    this.#deps = deps;
  }

  async list(call: CallContext, query: FilesQuery): Promise<Page<FileRow>> {
    const { db, search, files } = this.#deps;
    const account = call.account();
    return await db.read("files.list", async (tx) => {
      const q = query.q?.trim() ?? "";
      const hits = q === "" ? null : (await search.find(tx, filesSearchKind, q, { limit: mostFound })).hits;
      if (hits?.length === 0) return { items: [], next: null, total: 0, totalCapped: false };
      const filter: repo.FileFilter = {
        ...(hits === null ? {} : { ids: hits.map(({ id }) => id) }),
        ...(query.namespace === undefined ? {} : { namespace: query.namespace }),
      };
      const page = await readPage(filesList, query, {
        rows: async (position, limit) => await repo.listRows(tx, filter, position, limit),
        count: async (cap) => await repo.count(tx, filter, cap),
      });
      const ids = page.items.map(({ id }) => id);
      const references = await this.#referencesTo(tx, ids);
      return {
        ...page,
        items: page.items.map((row) => ({
          ...files.shown(account, row),
          namespace: row.namespace,
          kind: row.kind,
          bytes: row.size + row.thumbnail_size,
          uploader: row.uploader,
          accountId: row.account_id,
          createdAt: row.created_at,
          goesAt: row.loose_since === null ? null : row.loose_since + graceMs,
          references: references.filter(({ file }) => file === row.id).map(({ reference }) => reference),
        })),
      };
    });
  }

  async remove(call: CallContext, id: number, reason: string): Promise<void> {
    const { db, clock, search, audit, kinds } = this.#deps;
    await db.write("files.delete", async (tx) => {
      const row = await repo.find(tx, id);
      if (!row) throw new AppError(filesErrors.notFound);
      const references = await repo.referencesTo(tx, [id]);
      const at = clock.now();
      await repo.removeReferences(tx, references, at);
      await repo.markDeleted(tx, [id], at);
      await search.remove(tx, filesSearchKind, [id]);
      for (const { kind, owner } of references) await kinds.get(kind)?.lost(tx, owner);
      const before = { name: row.name, type: row.type, size: row.size, kind: row.kind, uploader: row.uploader };
      await audit.record(tx, call.actor, {
        action: "files.delete",
        object: { kind: "file", id },
        before,
        info: { reason, references: references.map(({ kind, owner }) => `${kind} ${owner}`) },
      });
    });
  }

  async usage() {
    const { db, settings, storage } = this.#deps;
    const { files } = await settings.current();
    const namespaces = await db.read("files.usage", async (tx) => await repo.usage(tx));
    return { storage: storage.kind, maxUploadBytes: files.maxUploadMegabytes * megabyte, namespaces };
  }

  /** References with the names of their owners, which cost one statement per kind. */
  async #referencesTo(tx: Tx, ids: readonly number[]) {
    const references = await repo.referencesTo(tx, ids);
    const labels = new Map<string, ReadonlyMap<string, string>>();
    for (const [kind, owners] of ownersByKind(references))
      labels.set(kind, (await this.#deps.kinds.get(kind)?.labels(tx, owners)) ?? new Map());
    return references.map(({ kind, owner, file_id }) => ({
      file: file_id,
      reference: { kind, owner, label: labels.get(kind)?.get(owner) ?? owner },
    }));
  }
}
