import { hash } from "node:crypto";
import type { AccountActor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { FileAnswer } from "#core/contract/operation.ts";
import {
  BadPicture,
  type Clock,
  type Database,
  type Ids,
  type Picture,
  type Pictures,
  type Search,
  type Signer,
  type Spooled,
  type Storage,
  type Tx,
  type Uploads,
  UploadTooLarge,
  UploadTooSlow,
} from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { FileKind, OwnedFiles } from "./files.api.ts";
import { type FileAddress, filesErrors, type FileType, pictureTypes, type UploadedFile } from "./files.contract.ts";
import { addressEnd, megabyte, nameOf, typeOf } from "./files.policy.ts";
import * as repo from "./files.repo.ts";

/** Uploads under way, of one account and in this process. */
const [mostOfAccount, mostOfProcess] = [4, 100];
const mostMegapixels = 40;
const thumbnailEdge = 96;

/** Kind under which names of files stand in the search index. */
export const filesSearchKind = "files";

export interface FilesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly search: Search;
  readonly storage: Storage;
  readonly uploads: Uploads;
  readonly pictures: Pictures;
  readonly signer: Signer;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly kinds: ReadonlyMap<string, FileKind>;
}

/** What is to be stored of one upload. */
interface Taken {
  readonly type: FileType;
  readonly size: number;
  readonly sha256: string;
  readonly whole: () => AsyncIterable<Uint8Array>;
  readonly thumbnail: Picture | null;
  readonly width: number | null;
  readonly height: number | null;
}

export const thumbnailKey = (key: string) => `${key}-t`;
const isPicture = (type: FileType) => (pictureTypes as readonly FileType[]).includes(type);

async function* once(bytes: Uint8Array) {
  yield bytes;
}

function refusal(error: unknown, cap: number): unknown {
  if (error instanceof UploadTooLarge) return new AppError(filesErrors.tooLarge, { params: { limit: inMegabytes(cap) } });
  if (error instanceof UploadTooSlow) return new AppError(filesErrors.tooSlow);
  if (!(error instanceof BadPicture)) return error;
  if (error.problem === "tooLong") return new AppError(filesErrors.pictureTooLong, { cause: error });
  if (error.problem === "unreadable") return new AppError(filesErrors.pictureUnreadable, { cause: error });
  return new AppError(filesErrors.pictureTooManyPixels, { params: { limit: mostMegapixels }, cause: error });
}

const inMegabytes = (bytes: number) => Math.round((bytes / megabyte) * 10) / 10;

export function createFilesService(deps: FilesDeps) {
  const { db, storage, signer } = deps;
  const underWay = new Map<number, number>();
  let inProcess = 0;

  /** Counts uploads under way; what it returns ends this one. */
  function enter(accountId: number): () => void {
    const own = underWay.get(accountId) ?? 0;
    if (own >= mostOfAccount || inProcess >= mostOfProcess)
      throw new AppError(filesErrors.tooManyAtOnce, { params: { seconds: 5 } });
    underWay.set(accountId, own + 1);
    inProcess += 1;
    return () => {
      inProcess -= 1;
      const left = (underWay.get(accountId) ?? 1) - 1;
      if (left === 0) underWay.delete(accountId);
      else underWay.set(accountId, left);
    };
  }

  function kindOf(name: string): FileKind {
    const kind = deps.kinds.get(name);
    if (!kind) throw new AppError(filesErrors.kindUnknown, { params: { kind: name } });
    return kind;
  }

  async function capOf(kind: FileKind): Promise<number> {
    const { files } = await deps.settings.current();
    return Math.min(kind.maxBytes, files.maxUploadMegabytes * megabyte);
  }

  async function examine(kind: FileKind, spooled: Spooled): Promise<Taken> {
    const { size, sha256 } = spooled;
    if (size === 0) throw new AppError(filesErrors.empty);
    const type = typeOf(spooled.head);
    if (type === null || !kind.types.includes(type))
      throw new AppError(filesErrors.typeNotAllowed, { params: { allowed: kind.types.join(", ") } });
    if (!isPicture(type)) return { type, size, sha256, whole: () => spooled.bytes(), thumbnail: null, width: null, height: null };
    const { whole, thumbnail } = await deps.pictures.encode(spooled.bytes(), { ...kind.picture, thumbnail: thumbnailEdge });
    const { bytes, width, height } = whole;
    const encoded = { size: bytes.length, sha256: hash("sha256", bytes) };
    return { type: whole.type, ...encoded, whole: () => once(bytes), thumbnail, width, height };
  }

  /** Stores the objects, then the row; what fails in between leaves no object. */
  async function keep(call: CallContext, kind: FileKind, owner: string, name: string, taken: Taken): Promise<number> {
    const viewer = call.viewer();
    const now = deps.clock.now();
    const month = new Date(now).toISOString().slice(0, 7).replace("-", "");
    const key = `${kind.namespace}/${month}/${deps.ids.next()}`;
    const { type, size, sha256, thumbnail, width, height } = taken;
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
      await storage.put(key, taken.whole(), { type });
      if (thumbnail) await storage.put(thumbnailKey(key), once(thumbnail.bytes), { type: thumbnail.type });
      return await db.write("files.upload", async (tx) => {
        const id = await repo.insert(tx, row);
        await deps.search.put(tx, filesSearchKind, [{ id, texts: [{ field: "name", text: name }] }]);
        const after = { name, type, size, kind: kind.kind, owner };
        await deps.audit.record(tx, call.actor, { action: "files.upload", object: { kind: "file", id }, after });
        return id;
      });
    } catch (error) {
      await Promise.allSettled([storage.remove(key), storage.remove(thumbnailKey(key))]);
      throw error;
    }
  }

  function address({ sessionId }: Pick<AccountActor, "sessionId">, id: number): FileAddress {
    const until = addressEnd(deps.clock.now());
    const at = (variant: string) => {
      const mark = signer.sign("files.view", `${id} ${variant} ${until} ${sessionId}`);
      return `/api/files/${id}/${variant}?until=${until}&mark=${mark}`;
    };
    return { id, url: at("whole"), thumbnail: at("thumbnail") };
  }

  async function upload(call: CallContext, kindName: string, owner: string, given: string): Promise<UploadedFile> {
    const viewer: Viewer = call.viewer();
    const kind = kindOf(kindName);
    await db.read("files.mayUpload", async (tx) => await kind.mayUpload(tx, viewer, owner));
    const cap = await capOf(kind);
    const { bytes, length } = call.upload();
    if (length !== null && length > cap) throw new AppError(filesErrors.tooLarge, { params: { limit: inMegabytes(cap) } });
    const leave = enter(viewer.accountId);
    try {
      const spooled = await deps.uploads.take(bytes, cap);
      try {
        const name = nameOf(given);
        const taken = await examine(kind, spooled);
        const id = await keep(call, kind, owner, name, taken);
        const { type, size, width, height } = taken;
        return { ...address(viewer, id), name, type, size, width, height };
      } finally {
        await spooled.close();
      }
    } catch (error) {
      throw refusal(error, cap);
    } finally {
      leave();
    }
  }

  async function view(
    call: CallContext,
    id: number,
    variant: "whole" | "thumbnail",
    { until, mark }: { until: number; mark: string },
  ): Promise<FileAnswer> {
    const { sessionId } = call.account();
    const left = until - deps.clock.now();
    if (left <= 0 || !signer.verify("files.view", `${id} ${variant} ${until} ${sessionId}`, mark))
      throw new AppError(filesErrors.notFound);
    const row = await db.read("files.view", async (tx) => await repo.find(tx, id));
    if (!row) throw new AppError(filesErrors.notFound);
    const small = variant === "thumbnail" && row.thumbnail_size > 0;
    const shown = row.width !== null;
    return {
      type: small ? "image/webp" : row.type,
      ...(shown ? {} : { name: row.name }),
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

  /** The files of one kind, as its feature changes them. */
  function owned(kind: FileKind): OwnedFiles {
    return {
      async attach(tx: Tx, viewer, owner, id) {
        const file = await repo.find(tx, id);
        const own = file?.kind === kind.kind && file.owner === owner && file.account_id === viewer.accountId;
        if (!own) throw new AppError(filesErrors.notFound);
        const others = (await repo.referencesOf(tx, kind.kind, [owner])).filter(({ file_id }) => file_id !== id);
        if (kind.most === 1) await repo.unrefer(tx, others, deps.clock.now());
        else if (others.length >= kind.most) throw new AppError(filesErrors.tooMany, { params: { most: kind.most } });
        await repo.refer(tx, { kind: kind.kind, owner, file_id: id, attached_at: deps.clock.now() });
      },
      async release(tx, owner, ids) {
        const all = await repo.referencesOf(tx, kind.kind, [owner]);
        const gone = all.filter(({ file_id }) => ids === undefined || ids.includes(file_id));
        await repo.unrefer(tx, gone, deps.clock.now());
      },
      async of(tx, owners) {
        const found = new Map<string, number[]>();
        for (const { owner, file_id } of await repo.referencesOf(tx, kind.kind, owners))
          found.set(owner, [...(found.get(owner) ?? []), file_id]);
        return found;
      },
    };
  }

  return {
    upload,
    view,
    address,
    owned,
    async limits(name: string) {
      const kind = kindOf(name);
      return { maxBytes: await capOf(kind), types: [...kind.types] };
    },
  };
}

export type FilesService = ReturnType<typeof createFilesService>;
