import { bind, type Binding } from "#core/feature.ts";
import type { SentByGame } from "./colleagues.sent.service.ts";
import type { Staff } from "./colleagues.staff.service.ts";
import { syncActivities, syncColleagues, syncStaff } from "./colleagues.sync.contract.ts";

export function colleaguesSync(sent: SentByGame, staff: Staff): Binding[] {
  return [
    bind(syncColleagues, async (call, { body }) => await sent.properties(call, body)),
    bind(syncActivities, async (call, { body }) => await sent.activities(call, body)),
    bind(syncStaff, async (_call, { query }) => await staff.list(query)),
  ];
}
