import { migration } from "./kit.ts";

/** The orders that lists offer. */
export default migration(async (steps) => {
  await steps.addIndex("citizens", "citizens_births", ["deleted_at", "date_of_birth", "id"]);
  await steps.addIndex("citizens", "citizens_visums", ["deleted_at", "visum", "id"]);
  await steps.addIndex("citizens", "citizens_updates", ["deleted_at", "updated_at", "id"]);
  await steps.addIndex("vehicles", "vehicles_models", ["deleted_at", "model", "id"]);
  await steps.addIndex("vehicles", "vehicles_updates", ["deleted_at", "updated_at", "id"]);
  await steps.addIndex("accounts", "accounts_names", ["deleted_at", "username_key", "id"]);
  await steps.addIndex("files", "files_names", ["deleted_at", "name", "id"]);
  await steps.addIndex("files", "files_sizes", ["deleted_at", "size", "id"]);
});
