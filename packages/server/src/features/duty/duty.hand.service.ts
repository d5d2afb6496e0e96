import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { type CharacterWithJobs, charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { beginDuty, dutyErrors, endDuty, type OwnDuty } from "./duty.contract.ts";
import { keptByGame, refusesByHand } from "./duty.hand.policy.ts";
import { type Duty, dutyByHand, endAt, off } from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import type { DutyRulesService } from "./duty.rules.service.ts";
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
      const labels = await jobsApi.labels(tx);
      const named = (name: string) => ({ params: { job: labels.label(name) } });
      if (held === undefined) throw new AppError(dutyErrors.notMember, named(job));
      if (!(await jobsApi.meanings(tx)).isWork(job)) throw new AppError(dutyErrors.noWork, named(job));
      const before = (await store.lock(tx, [{ id, licence }])).get(id)!;
      // A game server that reports this person locks it first, and changes rules before it lets go.
      const known = await rules.ofAll(tx, jobsBeside(before.duty, [job]));
      const refused = refusesByHand(known.get(job)!);
      if (refused === "off") throw new AppError(dutyErrors.notByHand, named(job));
      if (refused === "game") throw new AppError(dutyErrors.gameDecides, named(job));
      if (before.duty?.job === job) throw new AppError(dutyErrors.alreadyOn, named(job));
      const sources = await repo.sourcesOf(tx, [before]);
      const kept = keptByGame(before.duty, sources, known);
      if (kept !== null) throw new AppError(dutyErrors.gameDecides, named(kept));
      const now = clock.now();
      const ended = before.duty === null ? null : endAt(before.duty, now, "switched");
      const free = ended === null ? before : off(before, ended);
      // Not before the end of the last one, which another process's clock may have set.
      const duty = dutyByHand(job, held.grade, Math.max(now, free.endedAt));
      await this.#record(tx, call, beginDuty.id, job);
      await store.save(tx, [{ before, after: { ...free, duty, seenAt: now }, ended: ended === null ? [] : [ended] }], sources);
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
      if (duty.by === "game" && byHand !== "on") {
        const labels = await this.#deps.jobs.labels(tx);
        throw new AppError(dutyErrors.gameDecides, { params: { job: labels.label(duty.job) } });
      }
      await this.#record(tx, call, endDuty.id, duty.job);
      const ended = endAt(duty, clock.now(), "byHand");
      await store.save(tx, [{ before, after: off(before, ended), ended: [ended] }], new Map());
      return await this.#own(tx, id);
    });
  }

  async #own(tx: Tx, id: number): Promise<OwnDuty> {
    const { jobs, rules, store } = this.#deps;
    const { isWork } = await jobs.meanings(tx);
    const held = (await characterOf(tx, id)).jobs.filter(({ job }) => isWork(job));
    const [person] = await repo.readPeople(tx, [id]);
    const sources = await repo.sourcesOf(tx, person ? [person] : []);
    const [duty] = person ? await store.shown(tx, [{ person, was: null }], sources) : [];
    const present = person?.duty ?? null;
    const heldJobs = held.map(({ job }) => job);
    const all = await rules.ofAll(tx, jobsBeside(present, heldJobs));
    const kept = keptByGame(present, sources, all);
    const labels = await jobs.labels(tx);
    const own = held.map(({ job }) => {
      const reason = refusesByHand(all.get(job)!) ?? (kept === null || kept === job ? null : "game");
      return { job, label: labels.label(job), mayBegin: reason === null && present?.job !== job, reason };
    });
    const mayEnd = duty !== undefined && (duty.by === "hand" || all.get(duty.job.name)?.byHand === "on");
    return { duty: duty ?? null, jobs: own, mayEnd };
  }

  async #record(tx: Tx, call: CallContext, action: string, job: string): Promise<void> {
    const { characterId: id, characterName: name } = call.viewer();
    await this.#deps.audit.record(tx, call.actor, { action, object: { kind: "citizen", id, name }, info: { job } });
  }
}

const jobsBeside = (duty: Duty | null, jobs: readonly string[]): string[] =>
  duty === null ? [...jobs] : [...new Set([...jobs, duty.job])];

/** None for a character that was deleted meanwhile: its session ends. */
async function characterOf(tx: Tx, id: number): Promise<CharacterWithJobs> {
  return (await charactersWithJobsById(tx, [id])).get(id) ?? { id, licence: "", jobs: [] };
}
