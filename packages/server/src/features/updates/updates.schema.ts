import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** The result of the last check: one row. */
export const updatesChecks = defineTable(
  "updates_checks",
  {
    /** Always 1. */
    id: col.int(),
    checked_at: col.int(),
    /** When the feed last answered; null when it never did. */
    known_at: col.int().orNull(),
    /** Why the last check failed; null when it did not. */
    problem: col.text(300).orNull(),
    /** The newest release for this instance, which may be the running one or an older one. */
    version: col.key(100).orNull(),
    notes: col.longText(),
    url: col.text(500).orNull(),
    published_at: col.int().orNull(),
    /** The last version about which config admins were notified. */
    told: col.key(100).orNull(),
  },
  { primary: ["id"] },
);

export interface UpdatesTables {
  updates_checks: TableOf<typeof updatesChecks>;
}
