import { migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addIndex("files", "files_unused", ["account_id", "deleted_at", "loose_since"]);
});
