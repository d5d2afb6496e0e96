import type { AccountActor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { thumbnailKey } from "#core/own-objects.ts";
import type { FileAnswer } from "#core/contract/operation.ts";
import type { Clock, Database, Signer, Storage } from "#core/ports/index.ts";
import { type FileAddress, filesErrors, type UploadedFile } from "./files.contract.ts";
import { addressEnd } from "./files.policy.ts";
import * as repo from "./files.repo.ts";

type Variant = "whole" | "thumbnail";

export interface FilesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly storage: Storage;
  readonly signer: Signer;
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

  /** A file with its addresses. */
  shown(account: Pick<AccountActor, "sessionId">, row: repo.FileRecord): UploadedFile {
    const { id, name, type, size, width, height } = row;
    return { ...this.address(account, id), name, type, size, width, height };
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
}
