import { type Demo, demoPerson } from "#core/demo.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobs, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import { acknowledgePanic, endPanic, pressPanic, putPanicRules } from "./panic.contract.ts";
import { demoCentre, demoCentreOf, demoPanics, demoWithoutCentre } from "./panic.demo.policy.ts";
import { jobsAlarmed } from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";
import type { PanicStore } from "./panic.store.service.ts";

export interface PanicDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly postals: Pick<PostalsApi, "nearest">;
  readonly store: PanicStore;
}

/** From the start, where somebody of each job is. */
const looked = 400;

/** Panics of the demo city, and who gets those of jobs without a dispatch centre. */
export class PanicDemo {
  readonly #deps: PanicDemoDeps;

  constructor(deps: PanicDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    return await this.#deps.db.write("panic.demo", async (tx) => {
      if (!(await this.#setUp(tx, demo))) return 0;
      const identifiers = demo.city.people.slice(0, looked).map(({ identifier }) => identifier);
      const people = [...(await charactersWithJobs(tx, identifiers)).values()];
      const names = await namesOfCitizens(
        tx,
        people.map(({ id }) => id),
      );
      const some = (job: string, at: number) => {
        const found = people.filter(({ jobs: [held] }) => held?.job === job);
        const one = found[at % Math.max(1, found.length)];
        return one === undefined ? null : { id: one.id, name: names.get(one.id) ?? "", job };
      };
      let count = 0;
      for (const [at, planned] of demoPanics.entries()) {
        const [citizen, helper] = [some(planned.job, at + 3), some(demoCentreOf(planned.job) ?? planned.job, at + 8)];
        if (citizen === null || helper === null) continue;
        await this.#panic(tx, demo, { ...planned, citizen, helper, at });
        count += 1;
      }
      return count;
    });
  }

  async #panic(
    tx: Tx,
    { city }: Demo,
    {
      job,
      again,
      outcome,
      note,
      citizen,
      helper,
      at,
    }: (typeof demoPanics)[number] & {
      readonly citizen: Parameters<typeof demoPerson>[0];
      readonly helper: Parameters<typeof demoPerson>[0];
      readonly at: number;
    },
  ): Promise<void> {
    const { clock, postals, store } = this.#deps;
    const crossings = city.crossings.flat();
    const spot = crossings[(at * 11 + 5) % Math.max(1, crossings.length)];
    const place =
      spot === undefined
        ? null
        : { x: spot.x, y: spot.y, postal: postals.nearest(spot.x, spot.y)?.code ?? null, at: clock.now() };
    const jobs = jobsAlarmed(job, demoCentreOf(job));
    const [presser, answerer] = [demoPerson(citizen), demoPerson(helper)];
    const panic = { citizen, job, jobs, everybody: [], place, source: null, action: pressPanic.id };
    let row = await store.raise(tx, presser, panic);
    if (again) row = await store.again(tx, presser, row, pressPanic.id, place);
    const alarm = (await repo.alarmsOf(tx, [row.id])).get(row.id)!.find((one) => one.job === helper.job)!;
    const label = city.jobs.find(({ name }) => name === helper.job)?.label ?? helper.job;
    await store.acknowledge(tx, answerer, row, alarm, { action: acknowledgePanic.id, label });
    await store.end(tx, answerer, row, { state: outcome, note, action: endPanic.id });
  }

  /** False where a job has its rules already. */
  async #setUp(tx: Tx, { actor }: Demo): Promise<boolean> {
    const { audit, clock } = this.#deps;
    for (const job of demoWithoutCentre) {
      if ((await repo.rulesOf(tx, job)) !== null) return false;
      await repo.lockRules(tx, { job, to_job: demoCentre, version: 1, updated_at: clock.now() });
      const object = { kind: "job", id: job };
      await audit.record(tx, actor, { action: putPanicRules.id, object, before: { to: null }, after: { to: demoCentre } });
    }
    return true;
  }
}
