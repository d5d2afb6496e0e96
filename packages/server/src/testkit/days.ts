import { addDays, Zone } from "#core/zone.ts";
import { testZone } from "./mariadb.ts";
import type { AppUnderTest } from "./suite.ts";

/** The day so many days from today, in the zone of the test databases. */
export function dayFromNow({ app }: Pick<AppUnderTest, "app">, count: number): string {
  return addDays(new Zone(testZone).dayOf(app.process.container.ports.clock.now()), count);
}
