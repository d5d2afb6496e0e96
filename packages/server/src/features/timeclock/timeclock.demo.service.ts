import type { Demo } from "#core/demo.ts";
import { chunksOf } from "#core/chunks.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import { addDays, type Zone } from "#core/zone.ts";
import { charactersWithJobs, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { CorrectionsService } from "./timeclock.corrections.service.ts";
import { demoJob, demoShifts } from "./timeclock.demo.policy.ts";
import type { MissingService } from "./timeclock.missing.service.ts";
import type { PayRulesService } from "./timeclock.payrules.service.ts";
import { beginningOf } from "./timeclock.periods.policy.ts";
import { intervalOf } from "./timeclock.policy.ts";
import * as repo from "./timeclock.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export interface TimeclockDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly service: TimeclockService;
  readonly corrections: CorrectionsService;
  readonly missing: MissingService;
  readonly rules: PayRulesService;
}

/** From the start, where those of the logins are. */
const looked = 800;
/** Of which shift, from the last one, somebody asks for a correction. */
const corrected = 3;

/** Half a year of shifts of some people of the demo city, a correction and a missing entry that wait, and weeks that can be closed. */
export class TimeclockDemo {
  readonly #deps: TimeclockDemoDeps;

  constructor(deps: TimeclockDemoDeps) {
    this.#deps = deps;
  }

  async load({ city, actor }: Demo): Promise<number> {
    const { db, clock, zone, service, corrections, missing, rules } = this.#deps;
    const identifiers = city.people.slice(0, looked).map(({ identifier }) => identifier);
    return await db.write("timeclock.demo", async (tx) => {
      const found = await charactersWithJobs(tx, identifiers);
      const people = identifiers.flatMap((identifier) => found.get(identifier) ?? []);
      const shifts = demoShifts(people, zone, clock.now());
      const first = shifts[0];
      if (first === undefined || (await repo.knownDuties(tx, [first.id])).size > 0) return 0;
      for (const chunk of chunksOf(shifts, 500)) await service.count(tx, chunk, null);
      const [period] = shifts.filter(({ citizen_id }) => citizen_id === shifts.at(-1)!.citizen_id).slice(-corrected);
      const [entry] = await repo.entriesOfDuties(tx, [period!.id]);
      const { from, to } = intervalOf(entry!);
      const name = (await namesOfCitizens(tx, [entry!.citizen_id])).get(entry!.citizen_id) ?? "";
      const wanted = { from, to: to + 45 * 60_000 };
      const reason = "The game crashed, and I went on without it";
      await corrections.store(tx, actor, entry!, { wanted, reason, requestedBy: entry!.citizen_id, name });
      const worker = { citizenId: entry!.citizen_id, name, job: entry!.job, grade: entry!.grade };
      const before = { from: from - 150 * 60_000, to: from - 60 * 60_000 };
      await missing.store(tx, actor, worker, before, "The game server did not report that I was on duty");
      await rules.begin(tx, demoJob, "week", addDays(beginningOf("week", zone.dayOf(clock.now())), -28));
      return shifts.length;
    });
  }
}
