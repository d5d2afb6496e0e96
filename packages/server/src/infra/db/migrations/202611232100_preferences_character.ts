import { migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addIndex("preferences", "preferences_character", ["character_id"]);
});
