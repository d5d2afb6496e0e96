import { defineOrders } from "#core/contract/index.ts";
import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { accessColumns } from "#features/accesslists/accesslists.reads.ts";

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
      // Read by programs of the release before the grants, which may still run beside this one.
      notices_public: ["is_public", "id"],
      notices_creator: ["creator_id", "creator_job", "id"],
      notices_deleted: ["deleted_at"],
      notices_expiry: ["expires_at"],
    },
  },
);

/** The board, newest first. */
export const noticesList = defineOrderedList(notices, defineOrders(["id"], { default: "-id" }), {
  live: "deleted_at",
  by: { id: "id" },
});

export interface NoticeTables {
  notices: TableOf<typeof notices>;
}
