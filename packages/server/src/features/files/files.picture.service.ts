import type { AccountActor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { FileKind, OwnedFiles, OwnedPictures, PictureKind } from "./files.api.ts";
import { type FileAddress, filesErrors, pictureTypes } from "./files.contract.ts";
import type { FilesService } from "./files.service.ts";

const mostBytes = 32 * 1024 * 1024;
const maxEdge = 512;

export interface PicturesDeps {
  readonly db: Database;
  readonly audit: AuditApi;
  readonly files: FilesService;
  readonly register: (kind: FileKind) => OwnedFiles;
}

/** The pictures of one kind, one of each owner. */
export class PicturesOfKind implements OwnedPictures {
  readonly #deps: PicturesDeps;
  readonly #kind: PictureKind;
  readonly #owned: OwnedFiles;

  constructor(deps: PicturesDeps, kind: PictureKind) {
    this.#deps = deps;
    this.#kind = kind;
    this.#owned = deps.register({
      kind: kind.kind,
      namespace: kind.namespace,
      types: pictureTypes,
      maxBytes: mostBytes,
      picture: { maxEdge, square: kind.square },
      most: 1,
      copies: false,
      async mayUpload(tx, viewer, owner) {
        if (owner === null) throw new AppError(filesErrors.ownerMissing, { params: { kind: kind.kind } });
        await kind.mayUpload(tx, viewer, owner);
      },
      mayView: async (tx, viewer, owners) => await kind.mayView(tx, viewer, owners),
      labels: async (tx, owners) => await kind.labels(tx, owners),
      lost: async (tx, owner) => await kind.changed(tx, owner),
    });
  }

  async of(tx: Tx, account: Pick<AccountActor, "sessionId">, owners: readonly string[]): Promise<Map<string, FileAddress>> {
    const found = await this.#owned.of(tx, owners);
    return new Map(
      [...found].flatMap(([owner, [file]]) => (file === undefined ? [] : [[owner, this.#deps.files.address(account, file)]])),
    );
  }

  async put(call: CallContext, owner: string, file: number | null): Promise<FileAddress | null> {
    const { db, audit, files } = this.#deps;
    const { action } = this.#kind;
    const viewer = call.viewer();
    await db.write(action, async (tx) => {
      await this.#kind.mayUpload(tx, viewer, owner);
      const [before = null] = (await this.#owned.of(tx, [owner])).get(owner) ?? [];
      if (before === file) return;
      if (file === null) await this.#owned.release(tx, [owner]);
      else await this.#owned.attach(tx, viewer, owner, [file]);
      const object = this.#kind.objectOf(owner);
      await audit.record(tx, call.actor, { action, object, before: { file: before }, after: { file } });
      await this.#kind.changed(tx, owner);
    });
    return file === null ? null : files.address(viewer, file);
  }

  async release(tx: Tx, owners: readonly string[]): Promise<void> {
    await this.#owned.release(tx, owners);
  }
}
