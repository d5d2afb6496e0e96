import type { FileKindName } from "#core/contract/index.ts";
import type { AccountActor, Actor, Viewer } from "#core/actor.ts";
import { apiToken, type CallContext } from "#core/feature.ts";
import type { ForeignNames, OwnObjects } from "#core/own-objects.ts";
import type { Storage, Tx } from "#core/ports/index.ts";
import type { AuditRecord } from "#features/audit/audit.api.ts";
import type { FileAddress, FileType, UploadedFile } from "./files.contract.ts";

/** A kind of files that a feature stores. */
export interface FileKind {
  readonly kind: FileKindName;
  /** The first segment of its object keys; usage is measured by namespace. */
  readonly namespace: string;
  readonly types: readonly FileType[];
  /** Bytes. The smaller of this and the limit of the settings applies. */
  readonly maxBytes: number;
  /** How pictures are resized; `maxEdge` in pixels. */
  readonly picture: { readonly maxEdge: number; readonly square: boolean };
  /** Most files of one owner. With 1, a new file replaces the one before. */
  readonly most: number;
  /**
   * A viewer who may see the files of one owner may add them to another owner of this kind, which then refers
   * to the same file.
   */
  readonly copies: boolean;
  /** Throws `AppError` when this viewer may not change this owner or, with null, may not create one. */
  mayUpload(tx: Tx, viewer: Viewer, owner: string | null): Promise<void>;
  /** Those of these owners whose files this viewer may see, with a constant number of statements. */
  mayView(tx: Tx, viewer: Viewer, owners: readonly string[]): Promise<ReadonlySet<string>>;
  /** Names of owners to display. */
  labels(tx: Tx, owners: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Called in the unit of work in which a config admin deletes a file of this owner. */
  lost(tx: Tx, owner: string): Promise<void>;
}

/** The files of one kind, by owner. Every call belongs in the unit of work that changes the owner. */
export interface OwnedFiles {
  /**
   * Adds references of the owner to these files. Each was uploaded for this owner by somebody who might
   * change it, or by this account for an owner that did not exist yet, or belongs to an owner that the viewer
   * may see, if the kind `copies`. Throws `files.notFound` for any other, and `files.tooMany`.
   */
  attach(tx: Tx, viewer: Viewer, owner: string, ids: readonly number[]): Promise<void>;
  /**
   * Adds references of `to` to the files of `from`, or to those of `ids` among them, which keep their ids: what
   * embeds them can be copied as it is. Returns their ids in the order of attachment. Throws `files.notFound`
   * when the viewer may not see `from`, or one of `ids` is not its file, and `files.tooMany`.
   */
  copy(tx: Tx, viewer: Viewer, from: string, to: string, ids?: readonly number[]): Promise<readonly number[]>;
  /** Removes the references of these owners to all of their files, or to `ids`. Orphaned files are deleted after a day. */
  release(tx: Tx, owners: readonly string[], ids?: readonly number[]): Promise<void>;
  /** Ids of the files of these owners in the order of attachment; owners without files are left out. */
  of(tx: Tx, owners: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
  /** The files of these owners with their addresses for this session, in the order of attachment. Two statements. */
  shown(
    tx: Tx,
    account: Pick<AccountActor, "sessionId">,
    owners: readonly string[],
  ): Promise<ReadonlyMap<string, readonly UploadedFile[]>>;
}

/** A kind of picture of which each owner has one. */
export interface PictureKind extends Pick<FileKind, "kind" | "namespace" | "mayView" | "labels"> {
  /** Whether pictures are cropped to a square. */
  readonly square: boolean;
  /** Id of the operation that puts a picture, for the audit log. */
  readonly action: string;
  /** Throws `AppError` when this viewer may not change this owner. */
  mayUpload(tx: Tx, viewer: Viewer, owner: string): Promise<void>;
  /** The owner in the audit log. */
  objectOf(owner: string): NonNullable<AuditRecord["object"]>;
  /** Called in the unit of work in which the owner got another picture or none. */
  changed(tx: Tx, owner: string): Promise<void>;
}

export interface OwnedPictures {
  /** Addresses of the pictures of these owners, for this session; owners without one are left out. */
  of(tx: Tx, account: Pick<AccountActor, "sessionId">, owners: readonly string[]): Promise<ReadonlyMap<string, FileAddress>>;
  /** Puts an uploaded picture in the place of the one before, or removes that with null. Throws what `mayUpload` throws. */
  put(call: CallContext, owner: string, file: number | null): Promise<FileAddress | null>;
  /** Releases the pictures of owners that were purged. */
  release(tx: Tx, owners: readonly string[]): Promise<void>;
}

export interface FilesApi {
  register(kind: FileKind): OwnedFiles;
  registerPicture(kind: PictureKind): OwnedPictures;
  /**
   * Names a namespace of objects that have no row here and are not part of a backup: what their feature left
   * behind is removed after a day.
   */
  temporary(namespace: string): void;
  /** The objects of the registered kinds. */
  readonly own: OwnObjects;
  /** Copies every object of Rollcall to the other backend; continues a move that was interrupted. See `rollcall storage move`. */
  readonly move: (request: MoveRequest) => Promise<MoveReport>;
}

export interface MoveRequest {
  readonly actor: Actor;
  readonly from: Storage;
  readonly to: Storage;
  /** Whether objects are removed from the source once it is proven that the target has them. */
  readonly removeSource: boolean;
  /** Called after every chunk. */
  readonly progress: (state: { readonly objects: number; readonly bytes: number }) => void;
}

export interface MoveReport {
  /** Objects and bytes that the target is proven to have. */
  readonly objects: number;
  readonly bytes: number;
  /** Objects that an earlier run had copied. */
  readonly before: number;
  /** Keys whose bytes at the source differ from those of the upload. */
  readonly damaged: readonly string[];
  readonly removed: number;
  /** Objects at the source that are not of Rollcall: neither copied nor removed. */
  readonly foreign: ForeignNames;
}

export const filesApi = apiToken<FilesApi>("files");
