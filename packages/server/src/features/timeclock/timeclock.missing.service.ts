import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import { gradeAt } from "#features/colleagues/colleagues.reads.ts";
import { type AskingService, correctionOf } from "./timeclock.asking.service.ts";
import { type Entry, type MissingRequest, requestMissing, timeclockErrors } from "./timeclock.contract.ts";
import * as corrections from "./timeclock.corrections.repo.ts";
import type { FreeTimes } from "./timeclock.free.service.ts";
import type { RequestLimit } from "./timeclock.limit.service.ts";
import { type Interval, missingInterval } from "./timeclock.policy.ts";
import type { EntryRecord } from "./timeclock.record.service.ts";
import * as repo from "./timeclock.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";
import type { ShownEntries } from "./timeclock.shown.service.ts";

export interface MissingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly zone: Zone;
  readonly asking: Pick<AskingService, "ask">;
  readonly free: FreeTimes;
  readonly limit: RequestLimit;
  readonly record: EntryRecord;
  readonly service: Pick<TimeclockService, "changed">;
  readonly shown: ShownEntries;
}

/** Of whom, in which job and with which grade. */
export interface Worker {
  readonly citizenId: number;
  readonly name: string;
  readonly job: string;
  readonly grade: number;
}

/** Entries of which no duty is known, as the person asks for them. Such an entry is a proposal until somebody has decided. */
export class MissingService {
  readonly #deps: MissingDeps;

  constructor(deps: MissingDeps) {
    this.#deps = deps;
  }

  async request(call: CallContext, { reason, ...times }: MissingRequest): Promise<Entry> {
    const { db, clock, limit, shown, zone } = this.#deps;
    const viewer = call.viewer();
    const { characterId: citizenId, characterName: name, job } = viewer;
    return await db.write(requestMissing.id, async (tx) => {
      await repo.lockPeople(tx, [citizenId]);
      const held = (await charactersWithJobsById(tx, [citizenId])).get(citizenId)?.jobs.find((one) => one.job === job);
      // Who is in a mode has a job that the game does not know of.
      if (held === undefined) throw new AppError(timeclockErrors.notEmployed);
      const wanted = missingInterval(zone, times, clock.now());
      await this.#requireFree(tx, { citizenId, job }, wanted);
      await limit.require(tx, citizenId);
      // That of its beginning counts; where nobody knows it, that of now, and those who decide read so.
      const known = await gradeAt(tx, job, citizenId, wanted.from);
      if (known === "left") throw new AppError(timeclockErrors.notEmployedThen);
      const grade = known ?? held.grade;
      const worker = { citizenId, name, job, grade };
      return await shown.one(tx, viewer, await this.store(tx, call.actor, worker, wanted, reason.trim() || "–"));
    });
  }

  /** What was checked before: those who decide are asked. */
  async store(tx: Tx, actor: Actor, worker: Worker, wanted: Interval, reason: string): Promise<repo.EntryRow> {
    const { asking, clock, record, service } = this.#deps;
    const { citizenId, name, job, grade } = worker;
    const created = { citizen_id: citizenId, job, from_at: wanted.from, to_at: wanted.to };
    // The request comes first, for the entry carries its number.
    const request = correctionOf({ id: 0, ...created }, wanted, clock.now());
    const id = await corrections.insertCorrection(tx, { ...request, reason, requested_by: citizenId });
    const origin = { started_by: "hand", ending: "off", estimated: 0, state: "proposed" } as const;
    const values = { ...created, ...origin, period_id: -id, grade, version: 1, created_at: clock.now() };
    await repo.insertEntries(tx, [values]);
    const [row] = await repo.entriesOfDuties(tx, [-id]);
    await corrections.updateCorrection(tx, id, { entry_id: row!.id });
    await record.write(tx, actor, requestMissing.id, row!, { before: {}, after: { ...wanted, state: "proposed" } });
    await asking.ask(tx, actor, { id, citizenId, name, old: null, new: wanted, reason });
    await service.changed(tx, [job]);
    return row!;
  }

  /** Also by those that wait: otherwise the same time could be asked for again and again. */
  async #requireFree(tx: Tx, { citizenId, job }: Pick<Worker, "citizenId" | "job">, wanted: Interval): Promise<void> {
    const entry = { id: 0, citizen_id: citizenId, job };
    const taken = await this.#deps.free.taken(tx, entry, wanted, ["counted", "proposed"]);
    if (taken === null) return;
    throw new AppError(timeclockErrors[taken.by], taken.by === "overlaps" ? { params: { id: taken.id } } : {});
  }
}
