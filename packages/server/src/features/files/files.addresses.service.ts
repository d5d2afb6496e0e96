import type { CallContext } from "#core/feature.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { FileKind } from "./files.api.ts";
import type { UploadedFile } from "./files.contract.ts";
import { ownersByKind } from "./files.policy.ts";
import * as repo from "./files.repo.ts";
import type { FilesService } from "./files.service.ts";

export interface AddressesDeps {
  readonly db: Database;
  readonly kinds: ReadonlyMap<string, FileKind>;
  readonly files: FilesService;
}

/** Answers the addresses of files by their ids, as far as the viewer may see what they belong to. */
export class FileAddresses {
  readonly #deps: AddressesDeps;

  constructor(deps: AddressesDeps) {
    this.#deps = deps;
  }

  async of(call: CallContext, ids: readonly number[]): Promise<UploadedFile[]> {
    const { db, files } = this.#deps;
    const viewer = call.viewer();
    return await db.read("files.addresses", async (tx) => {
      const rows = await repo.list(tx, ids);
      const visible = await this.#visible(tx, viewer, rows);
      return rows.filter(({ id }) => visible.has(id)).map((row) => files.shown(viewer, row));
    });
  }

  async #visible(tx: Tx, viewer: Viewer, rows: readonly repo.FileRecord[]): Promise<ReadonlySet<number>> {
    const references = await repo.referencesTo(
      tx,
      rows.map(({ id }) => id),
    );
    const attached = new Set(references.map(({ file_id }) => file_id));
    const visible = new Set(
      rows.filter(({ id, account_id }) => !attached.has(id) && account_id === viewer.accountId).map(({ id }) => id),
    );
    for (const [name, owners] of ownersByKind(references)) {
      const seen = (await this.#deps.kinds.get(name)?.mayView(tx, viewer, owners)) ?? new Set();
      for (const { kind, owner, file_id } of references) if (kind === name && seen.has(owner)) visible.add(file_id);
    }
    return visible;
  }
}
