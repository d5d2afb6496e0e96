import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { filesOrders } from "./files.contract.ts";

/** Uploaded files. */
export const files = defineTable(
  "files",
  {
    id: col.id(),
    /** The kind of file, as `citizens.avatar`. */
    kind: col.key(64),
    /** The first segment of its object keys. */
    namespace: col.key(32),
    /** Key of the whole file; the key of a thumbnail ends in `-t`. */
    object_key: col.key(200),
    /** The owner for whom it was uploaded; empty until that exists. */
    owner: col.key(64),
    name: col.text(200),
    type: col.key(100),
    size: col.int(),
    thumbnail_size: col.int(),
    /** Of the stored bytes. */
    sha256: col.key(64),
    width: col.int().orNull(),
    height: col.int().orNull(),
    account_id: col.int().orNull(),
    uploader: col.text(120),
    created_at: col.int(),
    /** Since when it is orphaned; null while something refers to it. */
    loose_since: col.int().orNull(),
    /** Set when it is marked as deleted: it is no longer served, and is purged later. */
    deleted_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { files_object: ["object_key"] },
    indexes: {
      files_loose: ["loose_since"],
      files_deleted: ["deleted_at"],
      files_namespace: ["namespace", "id"],
      files_unused: ["account_id", "deleted_at", "loose_since"],
      files_names: ["deleted_at", "name", "id"],
      files_sizes: ["deleted_at", "size", "id"],
    },
  },
);

/** Ids are given out in the order in which files are uploaded. */
export const filesList = defineOrderedList(files, filesOrders, {
  live: "deleted_at",
  by: { name: "name", size: "size", createdAt: "id" },
});

/** References to files. A file stays as long as there is one to it. */
export const filesReferences = defineTable(
  "files_references",
  { kind: col.key(64), owner: col.key(64), file_id: col.int(), attached_at: col.int() },
  { primary: ["kind", "owner", "file_id"], indexes: { files_references_file: ["file_id"] } },
);

/** Progress of `rollcall storage move`. */
export const filesMoves = defineTable(
  "files_moves",
  {
    /** The backend to which objects are copied. */
    target: col.key(16),
    /** Every object up to this key was copied. */
    after_key: col.key(512),
    objects: col.int(),
    bytes: col.int(),
    started_at: col.int(),
    finished_at: col.int().orNull(),
  },
  { primary: ["target"] },
);

export interface FileTables {
  files: TableOf<typeof files>;
  files_references: TableOf<typeof filesReferences>;
  files_moves: TableOf<typeof filesMoves>;
}
