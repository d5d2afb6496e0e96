import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // An activity that the game sends again is found by its key.
  await steps.addColumn("colleagues_activities", "game_key", col.key(140).orNull());
  await steps.addIndex("colleagues_activities", "colleagues_activities_game", ["game_key"], { unique: true });
  // The game server reads the people of a job page by page.
  await steps.addIndex("colleagues", "colleagues_staff", ["job", "left_at", "citizen_id"]);
});
