import { col, defineTable, type TableOf } from "#core/db/index.ts";
import { accessColumns, accessIndexes } from "#features/accesslists/accesslists.reads.ts";

export const notices = defineTable(
  "notices",
  {
    id: col.id(),
    version: col.int(),
    title: col.text(120),
    body: col.longText(),
    ...accessColumns,
    /** As they were when the notice was created. */
    creator_name: col.text(101),
    creator_grade: col.int(),
    expires_at: col.int().orNull(),
    created_at: col.int(),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      notices_public: accessIndexes.public,
      notices_creator: accessIndexes.creator,
      notices_deleted: ["deleted_at"],
      notices_expiry: ["expires_at"],
    },
  },
);

export interface NoticeTables {
  notices: TableOf<typeof notices>;
}
