import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { objectKey, thumbnailKey } from "#core/own-objects.ts";
import {
  BadPicture,
  type Clock,
  type Database,
  type Ids,
  type Search,
  type Storage,
  type Tx,
  type Uploads,
  UploadTooLarge,
  UploadTooSlow,
} from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { FileKind } from "./files.api.ts";
import { filesErrors, type FileType, type UploadedFile } from "./files.contract.ts";
import { type Content, once, type UploadExaminer } from "./files.examine.service.ts";
import { filesSearchKind, hasRoom, megabyte, mostUnusedBytes, mostUnusedFiles, nameOf, ownerless } from "./files.policy.ts";
import * as repo from "./files.repo.ts";
import type { FilesService } from "./files.service.ts";

/** Most uploads at once, of one account and in this process. */
const [mostOfAccount, mostOfProcess] = [4, 100];
const mostMegapixels = 40;

export interface UploadDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly search: Search;
  readonly storage: Storage;
  readonly uploads: Uploads;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly kinds: ReadonlyMap<string, FileKind>;
  readonly files: FilesService;
  readonly examiner: UploadExaminer;
}

const inMegabytes = (bytes: number) => Math.round((bytes / megabyte) * 10) / 10;

/** The error to answer with; one that is not about the upload stays as it is. */
function refusalOf(error: unknown, cap: number): unknown {
  if (error instanceof UploadTooLarge) return new AppError(filesErrors.tooLarge, { params: { limit: inMegabytes(cap) } });
  if (error instanceof UploadTooSlow) return new AppError(filesErrors.tooSlow);
  if (!(error instanceof BadPicture)) return error;
  if (error.problem === "busy") return new AppError(filesErrors.tooManyAtOnce, { params: { seconds: 5 }, cause: error });
  if (error.problem === "tooLong") return new AppError(filesErrors.pictureTooLong, { cause: error });
  if (error.problem === "unreadable") return new AppError(filesErrors.pictureUnreadable, { cause: error });
  return new AppError(filesErrors.pictureTooManyPixels, { params: { limit: mostMegapixels }, cause: error });
}

/** Receives uploads, has them examined, and stores them. */
export class UploadService {
  readonly #deps: UploadDeps;
  /** Uploads in progress, by account. */
  readonly #inProgress = new Map<number, number>();
  #inProgressTotal = 0;

  constructor(deps: UploadDeps) {
    this.#deps = deps;
  }

  /** `owner` null: for one that does not exist yet. */
  async upload(call: CallContext, kindName: string, owner: string | null, givenName: string): Promise<UploadedFile> {
    const { db, uploads, examiner, files } = this.#deps;
    const viewer = call.viewer();
    const kind = this.#kind(kindName);
    await db.read("files.mayUpload", async (tx) => {
      await kind.mayUpload(tx, viewer, owner);
      // Again where it is stored: refused here, nothing is received and examined for nothing.
      await this.#requireRoom(tx, viewer.accountId, 0);
    });
    const cap = await this.#capOf(kind);
    const { bytes, length } = call.upload();
    if (length !== null && length > cap) throw new AppError(filesErrors.tooLarge, { params: { limit: inMegabytes(cap) } });
    this.#begin(viewer.accountId);
    try {
      const spooled = await uploads.take(bytes, cap);
      try {
        const name = nameOf(givenName);
        const content = await examiner.examine(kind, spooled, viewer.accountId);
        const id = await this.#store(call, kind, owner ?? ownerless, name, content);
        const { type, size, width, height } = content;
        return { ...files.address(viewer, id), name, type, size, width, height };
      } finally {
        await spooled.close();
      }
    } catch (error) {
      throw refusalOf(error, cap);
    } finally {
      this.#end(viewer.accountId);
    }
  }

  async limits(kindName: string): Promise<{ maxBytes: number; types: FileType[] }> {
    const kind = this.#kind(kindName);
    return { maxBytes: await this.#capOf(kind), types: [...kind.types] };
  }

  #begin(accountId: number): void {
    const own = this.#inProgress.get(accountId) ?? 0;
    if (own >= mostOfAccount || this.#inProgressTotal >= mostOfProcess)
      throw new AppError(filesErrors.tooManyAtOnce, { params: { seconds: 5 } });
    this.#inProgress.set(accountId, own + 1);
    this.#inProgressTotal += 1;
  }

  #end(accountId: number): void {
    this.#inProgressTotal -= 1;
    const left = (this.#inProgress.get(accountId) ?? 1) - 1;
    if (left === 0) this.#inProgress.delete(accountId);
    else this.#inProgress.set(accountId, left);
  }

  #kind(name: string): FileKind {
    const kind = this.#deps.kinds.get(name);
    if (!kind) throw new AppError(filesErrors.kindUnknown, { params: { kind: name } });
    return kind;
  }

  /** Locks what the account uploaded, so that uploads at once do not exceed the limit together. */
  async #requireRoom(tx: Tx, accountId: number, bytes: number): Promise<void> {
    const sizes = await repo.unusedSizes(tx, accountId, mostUnusedFiles);
    if (hasRoom(sizes, bytes)) return;
    const params = { files: mostUnusedFiles, megabytes: inMegabytes(mostUnusedBytes) };
    throw new AppError(filesErrors.tooManyUnused, { params });
  }

  /** Most bytes of one file. */
  async #capOf(kind: FileKind): Promise<number> {
    const { files } = await this.#deps.settings.current();
    return Math.min(kind.maxBytes, files.maxUploadMegabytes * megabyte);
  }

  /** Stores the objects, then the row; a failure in between leaves no object. Returns the id of the file. */
  async #store(call: CallContext, kind: FileKind, owner: string, name: string, content: Content): Promise<number> {
    const { db, clock, ids, storage, search, audit } = this.#deps;
    const viewer = call.viewer();
    const now = clock.now();
    const key = objectKey(kind.namespace, now, ids.next());
    const { type, size, sha256, thumbnail, width, height } = content;
    const row = {
      kind: kind.kind,
      namespace: kind.namespace,
      object_key: key,
      owner,
      name,
      type,
      size,
      thumbnail_size: thumbnail?.bytes.length ?? 0,
      sha256,
      width,
      height,
      account_id: viewer.accountId,
      uploader: `${viewer.characterName} (${viewer.username})`.slice(0, 120),
      created_at: now,
      loose_since: now,
    };
    try {
      await storage.put(key, content.whole(), { type });
      if (thumbnail) await storage.put(thumbnailKey(key), once(thumbnail.bytes), { type: thumbnail.type });
      return await db.write("files.upload", async (tx) => {
        await this.#requireRoom(tx, viewer.accountId, row.size + row.thumbnail_size);
        const id = await repo.insert(tx, row);
        await search.put(tx, filesSearchKind, [{ id, texts: [{ field: "name", text: name }] }]);
        const after = { name, type, size, kind: kind.kind, owner };
        await audit.record(tx, call.actor, { action: "files.upload", object: { kind: "file", id }, after });
        return id;
      });
    } catch (error) {
      await Promise.allSettled([storage.remove(key), storage.remove(thumbnailKey(key))]);
      throw error;
    }
  }
}
