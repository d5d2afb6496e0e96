import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  /** How far the clock of the game server was behind ours at its last call with positions; negative when it was ahead. */
  await steps.addColumn("duty_sources", "behind_ms", col.int().orNull());
});
