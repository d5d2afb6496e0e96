import { migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addIndex("approvals_requests", "approvals_requests_character", ["requester_character_id"]);
});
