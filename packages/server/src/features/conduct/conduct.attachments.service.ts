import type { AccountActor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { FilesApi, OwnedFiles } from "#features/files/files.api.ts";
import type { UploadedFile } from "#features/files/files.contract.ts";
import { attachmentKind, attachmentTypes, conductErrors, conductLimits, conductPermissions } from "./conduct.base.contract.ts";
import { entryIdOf, mayRead, readerOf } from "./conduct.policy.ts";
import * as repo from "./conduct.repo.ts";

export interface AttachmentDeps {
  readonly clock: Clock;
  readonly files: FilesApi;
  /** Throws unless the viewer may change this entry. */
  requireWrite(tx: Tx, viewer: Viewer, row: repo.EntryRow): Promise<void>;
  /** Called in the unit of work in which a config admin deletes an attachment of this entry. */
  lost(tx: Tx, row: repo.EntryRow): Promise<void>;
}

/** The pictures and documents of entries, seen by all who read the entry. */
export class ConductAttachments {
  readonly #deps: AttachmentDeps;
  readonly #files: OwnedFiles;

  constructor(deps: AttachmentDeps) {
    this.#deps = deps;
    this.#files = deps.files.register({
      kind: attachmentKind,
      namespace: "conduct",
      types: attachmentTypes,
      maxBytes: 32 * 1024 * 1024,
      picture: { maxEdge: 2560, square: false },
      most: conductLimits.attachments,
      copies: false,
      mayUpload: async (tx, viewer, owner) => await this.#requireDraft(tx, viewer, owner),
      mayView: async (tx, viewer, owners) => {
        const reader = readerOf(viewer, deps.clock.now());
        const rows = await repo.findMany(tx, owners.map(entryIdOf));
        return new Set(rows.filter((row) => mayRead(reader, row)).map(({ id }) => String(id)));
      },
      async labels(tx, owners) {
        const rows = await repo.findMany(tx, owners.map(entryIdOf));
        const names = await namesOfCitizens(tx, [...new Set(rows.map(({ citizen_id }) => citizen_id))]);
        return new Map(rows.map(({ id, citizen_id: citizen }) => [String(id), names.get(citizen) ?? `CIT-${citizen}`]));
      },
      lost: async (tx, owner) => {
        const row = await repo.find(tx, entryIdOf(owner));
        if (row !== null) await deps.lost(tx, row);
      },
    });
  }

  /** By entry; those without attachments are left out. */
  async of(
    tx: Tx,
    account: Pick<AccountActor, "sessionId">,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly UploadedFile[]>> {
    const found = await this.#files.shown(tx, account, ids.map(String));
    return new Map([...found].map(([owner, files]) => [entryIdOf(owner), files]));
  }

  /** Makes these files the attachments of an entry. Throws `files.notFound` and `files.tooMany`. */
  async put(tx: Tx, viewer: Viewer, id: number, files: readonly number[]): Promise<void> {
    const owner = String(id);
    const before = (await this.#files.of(tx, [owner])).get(owner) ?? [];
    const removed = before.filter((file) => !files.includes(file));
    if (removed.length > 0) await this.#files.release(tx, [owner], removed);
    await this.#files.attach(
      tx,
      viewer,
      owner,
      files.filter((file) => !before.includes(file)),
    );
  }

  /** Releases the attachments of entries that were removed for good. */
  async release(tx: Tx, ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await this.#files.release(tx, ids.map(String));
  }

  /** A released entry gets no further file. */
  async #requireDraft(tx: Tx, viewer: Viewer, owner: string | null): Promise<void> {
    const permission = conductPermissions.write.id;
    if (owner === null) {
      if (viewer.rights.has(permission)) return;
      throw new AppError(guardErrors.permissionMissing, { params: { permission, job: viewer.job } });
    }
    const row = await repo.find(tx, entryIdOf(owner));
    if (row === null || !mayRead(readerOf(viewer, this.#deps.clock.now()), row)) throw new AppError(conductErrors.notFound);
    await this.#deps.requireWrite(tx, viewer, row);
    if (row.state !== "draft") throw new AppError(conductErrors.notDraft);
  }
}
