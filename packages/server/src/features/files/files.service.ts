import type { AccountActor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { thumbnailKey } from "#core/own-objects.ts";
import type { FileAnswer } from "#core/contract/operation.ts";
import type { Clock, Database, Signer, Storage, Tx } from "#core/ports/index.ts";
import type { FileKind, OwnedFiles } from "./files.api.ts";
import { type FileAddress, filesErrors } from "./files.contract.ts";
import { addressEnd } from "./files.policy.ts";
import * as repo from "./files.repo.ts";

type Variant = "whole" | "thumbnail";

export interface FilesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly signer: Signer;
}

/** The files of one kind, as its feature attaches and releases them. */
class FilesOfKind implements OwnedFiles {
  readonly #kind: FileKind;
  readonly #clock: Clock;

  constructor(kind: FileKind, clock: Clock) {
    this.#kind = kind;
    this.#clock = clock;
  }

  async attach(tx: Tx, viewer: Viewer, owner: string, id: number): Promise<void> {
    const { kind, most } = this.#kind;
    const file = await repo.find(tx, id);
    const own = file?.kind === kind && file.owner === owner && file.account_id === viewer.accountId;
    if (!own) throw new AppError(filesErrors.notFound);
    const others = (await repo.referencesOf(tx, kind, [owner])).filter(({ file_id }) => file_id !== id);
    if (most === 1) await repo.removeReferences(tx, others, this.#clock.now());
    else if (others.length >= most) throw new AppError(filesErrors.tooMany, { params: { most } });
    await repo.addReference(tx, { kind, owner, file_id: id, attached_at: this.#clock.now() });
  }

  async release(tx: Tx, owner: string, ids?: readonly number[]): Promise<void> {
    const all = await repo.referencesOf(tx, this.#kind.kind, [owner]);
    const released = all.filter(({ file_id }) => ids === undefined || ids.includes(file_id));
    await repo.removeReferences(tx, released, this.#clock.now());
  }

  async of(tx: Tx, owners: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, number[]>();
    for (const { owner, file_id } of await repo.referencesOf(tx, this.#kind.kind, owners))
      found.set(owner, [...(found.get(owner) ?? []), file_id]);
    return found;
  }
}

/** Gives out signed URLs of files, and answers them. */
export class FilesService {
  readonly #deps: FilesDeps;

  constructor(deps: FilesDeps) {
    this.#deps = deps;
  }

  /** Signed URLs of a file, valid for this session alone. */
  address({ sessionId }: Pick<AccountActor, "sessionId">, id: number): FileAddress {
    const { clock, signer } = this.#deps;
    const until = addressEnd(clock.now());
    const urlOf = (variant: Variant) => {
      const signature = signer.sign("files.view", `${id} ${variant} ${until} ${sessionId}`);
      return `/api/files/${id}/${variant}?until=${until}&mark=${signature}`;
    };
    return { id, url: urlOf("whole"), thumbnail: urlOf("thumbnail") };
  }

  /** Throws 404 when the signature is wrong or expired, or the file or its object does not exist. */
  async view(
    call: CallContext,
    id: number,
    variant: Variant,
    { until, mark: signature }: { until: number; mark: string },
  ): Promise<FileAnswer> {
    const { db, clock, storage, signer } = this.#deps;
    const { sessionId } = call.account();
    const left = until - clock.now();
    if (left <= 0 || !signer.verify("files.view", `${id} ${variant} ${until} ${sessionId}`, signature))
      throw new AppError(filesErrors.notFound);
    const row = await db.read("files.view", async (tx) => await repo.find(tx, id));
    if (!row) throw new AppError(filesErrors.notFound);
    const small = variant === "thumbnail" && row.thumbnail_size > 0;
    const isPicture = row.width !== null;
    return {
      type: small ? "image/webp" : row.type,
      ...(isPicture ? {} : { name: row.name }),
      size: small ? row.thumbnail_size : row.size,
      etag: `${row.sha256.slice(0, 32)}${small ? "-t" : ""}`,
      cacheSeconds: Math.floor(left / 1000),
      async body(range) {
        const found = await storage.open(small ? thumbnailKey(row.object_key) : row.object_key, range);
        if (!found) throw new AppError(filesErrors.notFound, { detail: `${row.object_key} is not in the storage` });
        return found.bytes;
      },
    };
  }

  owned(kind: FileKind): OwnedFiles {
    return new FilesOfKind(kind, this.#deps.clock);
  }
}
