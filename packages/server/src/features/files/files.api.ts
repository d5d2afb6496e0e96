import type { AccountActor, Actor, Viewer } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Storage, Tx } from "#core/ports/index.ts";
import type { FileAddress, FileType } from "./files.contract.ts";

/** What files a feature keeps, for what. */
export interface FileKind {
  /** `<feature>.<what>`. */
  readonly kind: string;
  /** First word of the keys of its objects: how much is stored is counted by it. */
  readonly namespace: string;
  readonly types: readonly FileType[];
  /** Bytes; the cap of the settings holds besides. */
  readonly maxBytes: number;
  /** How pictures are cut: longest edge in pixels. */
  readonly picture: { readonly maxEdge: number; readonly square: boolean };
  /** How many one owner has; where it is one, the next takes its place. */
  readonly most: number;
  /** Throws `AppError` when this viewer may not change this owner. */
  mayUpload(tx: Tx, viewer: Viewer, owner: string): Promise<void>;
  /** Names of owners for people. */
  labels(tx: Tx, owners: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A config admin took the file away: the owner has it no more. */
  lost(tx: Tx, owner: string): Promise<void>;
}

/** The files of one kind, by owner; every call in the unit of work of the owner's change. */
export interface OwnedFiles {
  /**
   * From now on the owner refers to the file. Throws `files.notFound` unless this account uploaded it
   * for this owner, and `files.tooMany`.
   */
  attach(tx: Tx, actor: Viewer, owner: string, id: number): Promise<void>;
  /** The owner refers to none of its files, or to these, no more. They go after a day. */
  release(tx: Tx, owner: string, ids?: readonly number[]): Promise<void>;
  /** Ids of the files of these owners, the first attached first; owners without any are left out. */
  of(tx: Tx, owners: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>>;
}

export interface FilesApi {
  register(kind: FileKind): OwnedFiles;
  /** For whom the caller lets see the file: bound to the session. */
  address(account: Pick<AccountActor, "sessionId">, id: number): FileAddress;
  /** Copies every object to the other backend, or goes on with it. See `rollcall storage move`. */
  readonly move: (request: MoveRequest) => Promise<MoveReport>;
}

export interface MoveRequest {
  readonly actor: Actor;
  readonly from: Storage;
  readonly to: Storage;
  /** Removes from the source what the target is proven to have. */
  readonly removeSource: boolean;
  /** Told now and then. */
  progress(state: { readonly objects: number; readonly bytes: number }): void;
}

export interface MoveReport {
  /** Objects and bytes that the target was proven to have. */
  readonly objects: number;
  readonly bytes: number;
  /** Objects that an earlier run had copied. */
  readonly before: number;
  /** Keys whose bytes at the source are not those that were stored once. */
  readonly damaged: readonly string[];
  readonly removed: number;
}

export const filesApi = apiToken<FilesApi>("files");
