import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** What was uploaded and taken over. */
export const files = defineTable(
  "files",
  {
    id: col.id(),
    /** What it is for, as `citizens.avatar`. */
    kind: col.key(64),
    /** First word of the keys of its objects. */
    namespace: col.key(32),
    /** Of the whole; the thumbnail, where there is one, has `-t` behind it. */
    object_key: col.key(200),
    /** For whom it was uploaded. */
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
    /** Since when nothing refers to it; null while something does. */
    loose_since: col.int().orNull(),
    /** From then on it is served no more; its objects go, then the row. */
    deleted_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { files_object: ["object_key"] },
    indexes: {
      files_loose: ["loose_since"],
      files_deleted: ["deleted_at"],
      files_namespace: ["namespace", "id"],
    },
  },
);

/** Who refers to which file: while there is one, the file stays. */
export const filesReferences = defineTable(
  "files_references",
  { kind: col.key(64), owner: col.key(64), file_id: col.int(), attached_at: col.int() },
  { primary: ["kind", "owner", "file_id"], indexes: { files_references_file: ["file_id"] } },
);

/** How far `rollcall storage move` came. */
export const filesMoves = defineTable(
  "files_moves",
  {
    /** The backend that is filled. */
    target: col.key(16),
    /** Every object up to this key is there. */
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
