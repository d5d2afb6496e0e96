import { bind, type Binding } from "#core/feature.ts";
import type { SentActivities } from "./colleagues.sent.activities.service.ts";
import type { SentProperties } from "./colleagues.sent.properties.service.ts";
import type { Staff } from "./colleagues.staff.service.ts";
import { syncActivities, syncColleagues, syncStaff } from "./colleagues.sync.contract.ts";

interface SyncUseCases {
  readonly properties: SentProperties;
  readonly activities: SentActivities;
  readonly staff: Staff;
}

export function colleaguesSync({ properties, activities, staff }: SyncUseCases): Binding[] {
  return [
    bind(syncColleagues, async (call, { body }) => await properties.take(call, body)),
    bind(syncActivities, async (call, { body }) => await activities.take(call, body)),
    bind(syncStaff, async (_call, { query }) => await staff.list(query)),
  ];
}
