import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type CharacterWithJobs, charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { beginDuty, dutyErrors, endDuty, type OwnDuty } from "./duty.contract.ts";
import { dutyByHand, endAt, off } from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import { type DutyRulesService, refusesByHand } from "./duty.rules.service.ts";
import type { DutyStore } from "./duty.store.service.ts";

export interface DutyByHandDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly store: DutyStore;
  readonly rules: DutyRulesService;
}

/** Duty that people begin and end in the browser. */
export class DutyByHand {
  readonly #deps: DutyByHandDeps;

  constructor(deps: DutyByHandDeps) {
    this.#deps = deps;
  }

  async own(viewer: Viewer): Promise<OwnDuty> {
    return await this.#deps.db.read("duty.own", async (tx) => await this.#own(tx, viewer.characterId));
  }

  async begin(call: CallContext, job: string): Promise<OwnDuty> {
    const { characterId: id } = call.viewer();
    const { db, clock, jobs: jobsApi, store, rules } = this.#deps;
    return await db.write(beginDuty.id, async (tx) => {
      const { licence, jobs } = await characterOf(tx, id);
      const held = jobs.find((one) => one.job === job);
      if (held === undefined) throw new AppError(dutyErrors.notMember, { params: { job } });
      if (!(await jobsApi.meanings(tx)).isWork(job)) throw new AppError(dutyErrors.noWork, { params: { job } });
      const refused = refusesByHand(await rules.of(tx, job));
      if (refused === "off") throw new AppError(dutyErrors.notByHand, { params: { job } });
      if (refused === "game") throw new AppError(dutyErrors.gameDecides, { params: { job } });
      const before = (await store.lock(tx, [{ id, licence }])).get(id)!;
      if (before.duty?.job === job) throw new AppError(dutyErrors.alreadyOn, { params: { job } });
      const now = clock.now();
      const ended = before.duty === null ? null : endAt(before.duty, now, "switched");
      const free = ended === null ? before : off(before, ended);
      // Not before the end of the last one, which another process's clock may have set.
      const duty = dutyByHand(job, held.grade, Math.max(now, free.endedAt));
      await this.#record(tx, call, beginDuty.id, job);
      await store.save(
        tx,
        [{ before, after: { ...free, duty, seenAt: now }, ended: ended === null ? [] : [ended] }],
        await repo.listSources(tx),
      );
      return await this.#own(tx, id);
    });
  }

  async end(call: CallContext): Promise<OwnDuty> {
    const { characterId: id } = call.viewer();
    const { db, clock, store, rules } = this.#deps;
    return await db.write(endDuty.id, async (tx) => {
      const { licence } = await characterOf(tx, id);
      const before = (await store.lock(tx, [{ id, licence }])).get(id)!;
      const { duty } = before;
      if (duty === null) throw new AppError(dutyErrors.notOn);
      const { byHand } = await rules.of(tx, duty.job);
      if (duty.by === "game" && byHand !== "on") throw new AppError(dutyErrors.gameDecides, { params: { job: duty.job } });
      await this.#record(tx, call, endDuty.id, duty.job);
      const ended = endAt(duty, clock.now(), "byHand");
      await store.save(tx, [{ before, after: off(before, ended), ended: [ended] }], await repo.listSources(tx));
      return await this.#own(tx, id);
    });
  }

  async #own(tx: Tx, id: number): Promise<OwnDuty> {
    const { jobs, rules, store } = this.#deps;
    const { isWork } = await jobs.meanings(tx);
    const held = (await characterOf(tx, id)).jobs.filter(({ job }) => isWork(job));
    const [person] = await repo.readPeople(tx, [id]);
    const sources = await repo.listSources(tx);
    const [duty] = person ? await store.shown(tx, [{ person, was: null }], sources) : [];
    const all = await rules.ofAll(
      tx,
      held.map(({ job }) => job),
    );
    const labels = await jobs.labels(tx);
    const own = held.map(({ job }) => {
      const reason = refusesByHand(all.get(job)!);
      return { job, label: labels.label(job), mayBegin: reason === null && person?.duty?.job !== job, reason };
    });
    const mayEnd = duty !== undefined && (duty.by === "hand" || all.get(duty.job.name)?.byHand === "on");
    return { duty: duty ?? null, jobs: own, mayEnd };
  }

  async #record(tx: Tx, call: CallContext, action: string, job: string): Promise<void> {
    const { characterId: id, characterName: name } = call.viewer();
    await this.#deps.audit.record(tx, call.actor, { action, object: { kind: "citizen", id, name }, info: { job } });
  }
}

/** None for a character that was deleted meanwhile: its session ends. */
async function characterOf(tx: Tx, id: number): Promise<CharacterWithJobs> {
  return (await charactersWithJobsById(tx, [id])).get(id) ?? { id, licence: "", jobs: [] };
}
