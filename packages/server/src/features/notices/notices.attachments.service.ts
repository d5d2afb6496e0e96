import type { AccountActor, Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AccessLists } from "#features/accesslists/accesslists.api.ts";
import type { FilesApi, OwnedFiles } from "#features/files/files.api.ts";
import type { UploadedFile } from "#features/files/files.contract.ts";
import { attachmentKind, attachmentTypes, noticeLimits, noticesPermissions } from "./notices.contract.ts";
import { isVisible, noticeIdOf, rulesOf } from "./notices.policy.ts";
import * as repo from "./notices.repo.ts";
import type { NoticeFinder } from "./notices.visible.service.ts";

export interface AttachmentDeps {
  readonly files: FilesApi;
  /** The access lists of notices. */
  readonly lists: AccessLists;
  readonly finder: NoticeFinder;
  /** Called in the unit of work in which a config admin deletes an attachment of this notice. */
  lost(tx: Tx, row: repo.NoticeRow): Promise<void>;
}

/** The pictures and documents on notices, seen by all who see the notice. */
export class NoticeAttachments {
  readonly #deps: AttachmentDeps;
  readonly #files: OwnedFiles;

  constructor(deps: AttachmentDeps) {
    this.#deps = deps;
    this.#files = deps.files.register({
      kind: attachmentKind,
      namespace: "notices",
      types: attachmentTypes,
      maxBytes: 32 * 1024 * 1024,
      picture: { maxEdge: 2560, square: false },
      most: noticeLimits.attachments,
      copies: true,
      mayUpload: async (tx, viewer, owner) => await this.#checkEditor(tx, viewer, owner),
      mayView: async (tx, viewer, owners) => await this.#visible(tx, viewer, owners),
      async labels(tx, owners) {
        return new Map((await repo.findMany(tx, owners.map(noticeIdOf))).map(({ id, title }) => [String(id), title]));
      },
      lost: async (tx, owner) => await this.#lost(tx, noticeIdOf(owner)),
    });
  }

  /** By notice; those without attachments are left out. */
  async of(
    tx: Tx,
    account: Pick<AccountActor, "sessionId">,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly UploadedFile[]>> {
    const found = await this.#files.shown(tx, account, ids.map(String));
    return new Map([...found].map(([owner, files]) => [noticeIdOf(owner), files]));
  }

  async idsOf(tx: Tx, id: number): Promise<readonly number[]> {
    return (await this.#files.of(tx, [String(id)])).get(String(id)) ?? [];
  }

  /** Makes these files the attachments of a notice. Throws `files.notFound` and `files.tooMany`. */
  async put(tx: Tx, viewer: Viewer, id: number, files: readonly number[]): Promise<void> {
    const before = await this.idsOf(tx, id);
    const removed = before.filter((file) => !files.includes(file));
    const added = files.filter((file) => !before.includes(file));
    if (removed.length > 0) await this.#files.release(tx, [String(id)], removed);
    await this.#files.attach(tx, viewer, String(id), added);
  }

  /** Releases the attachments of notices that were purged. */
  async release(tx: Tx, ids: readonly number[]): Promise<void> {
    await this.#files.release(tx, ids.map(String));
  }

  /** Throws unless the viewer may edit this notice or, with null, create one. */
  async #checkEditor(tx: Tx, viewer: Viewer, owner: string | null): Promise<void> {
    const permission = noticesPermissions.create.id;
    if (owner !== null) await this.#deps.finder.editable(tx, viewer, noticeIdOf(owner));
    else if (!viewer.rights.has(permission))
      throw new AppError(guardErrors.permissionMissing, { params: { permission, job: viewer.job } });
  }

  async #visible(tx: Tx, viewer: Viewer, owners: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await repo.findMany(tx, owners.map(noticeIdOf));
    const decisions = await this.#deps.lists.decideMany(
      tx,
      viewer,
      rows.map((row) => ({ id: row.id, rules: rulesOf(row) })),
    );
    return new Set(rows.filter((row) => isVisible(row, decisions.get(row.id)?.level ?? 0)).map(({ id }) => String(id)));
  }

  async #lost(tx: Tx, id: number): Promise<void> {
    const row = await repo.find(tx, id);
    if (row) await this.#deps.lost(tx, row);
  }
}
