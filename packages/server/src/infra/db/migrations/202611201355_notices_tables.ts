import { col, defineTable, migration } from "./kit.ts";

const notices = defineTable(
  "notices",
  {
    id: col.id(),
    version: col.int(),
    title: col.text(120),
    body: col.longText(),
    creator_id: col.int().orNull(),
    creator_job: col.key(50),
    is_public: col.flag(),
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
      notices_public: ["is_public", "id"],
      notices_creator: ["creator_id", "creator_job", "id"],
      notices_deleted: ["deleted_at"],
      notices_expiry: ["expires_at"],
    },
  },
);

export default migration(async (steps) => {
  await steps.createTable(notices);
});
