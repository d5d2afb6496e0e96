import { col, defineTable, migration } from "./kit.ts";

const files = defineTable(
  "files",
  {
    id: col.id(),
    kind: col.key(64),
    namespace: col.key(32),
    object_key: col.key(200),
    owner: col.key(64),
    name: col.text(200),
    type: col.key(100),
    size: col.int(),
    thumbnail_size: col.int(),
    sha256: col.key(64),
    width: col.int().orNull(),
    height: col.int().orNull(),
    account_id: col.int().orNull(),
    uploader: col.text(120),
    created_at: col.int(),
    loose_since: col.int().orNull(),
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

const filesReferences = defineTable(
  "files_references",
  { kind: col.key(64), owner: col.key(64), file_id: col.int(), attached_at: col.int() },
  { primary: ["kind", "owner", "file_id"], indexes: { files_references_file: ["file_id"] } },
);

const filesMoves = defineTable(
  "files_moves",
  {
    target: col.key(16),
    after_key: col.key(512),
    objects: col.int(),
    bytes: col.int(),
    started_at: col.int(),
    finished_at: col.int().orNull(),
  },
  { primary: ["target"] },
);

export default migration(async (steps) => {
  await steps.createTable(files);
  await steps.createTable(filesReferences);
  await steps.createTable(filesMoves);
});
