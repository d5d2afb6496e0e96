import type { Demo } from "#core/demo.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import { demoProperties } from "./jobs.demo.policy.ts";
import { linksText } from "./jobs.policy.ts";
import * as repo from "./jobs.repo.ts";

/** Messages of the day, radio frequencies and links of some jobs of the demo city. */
export class JobsDemo {
  readonly #deps: { readonly db: Database; readonly clock: Clock };

  constructor(deps: { readonly db: Database; readonly clock: Clock }) {
    this.#deps = deps;
  }

  async load({ city }: Demo): Promise<number> {
    const { db, clock } = this.#deps;
    const wanted = demoProperties.filter(({ job }) => city.jobs.some(({ name }) => name === job));
    return await db.write("jobs.demo", async (tx) => {
      let written = 0;
      for (const { job, radioFrequency, message, by, links } of wanted) {
        if ((await repo.readProperties(tx, job)) !== null) continue;
        const at = clock.now();
        const look = { colour: null, icon: null, radio_frequency: radioFrequency, links: linksText(links) };
        await repo.putProperties(tx, { job, version: 1, ...look, message, message_by: by, message_at: at, updated_at: at });
        written += 1;
      }
      return written;
    });
  }
}
