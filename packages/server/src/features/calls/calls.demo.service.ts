import { type Demo, demoPerson } from "#core/demo.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobs, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { completeCall, cancelCall, createCall, syncCall, createType, putRules, usualRules } from "./calls.contract.ts";
import { demoCalls, demoStorm, demoTypes } from "./calls.demo.policy.ts";
import type { StormAlerts } from "./calls.storm.alerts.service.ts";
import type { CallsStore } from "./calls.store.service.ts";
import { columnsOfType, rowOfRules, typeOf } from "./calls.types.policy.ts";
import * as types from "./calls.types.repo.ts";

export interface CallsDemoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly store: CallsStore;
  readonly alerts: Pick<StormAlerts, "fill">;
}

/** Behind the logins, who would otherwise have called themselves. */
const callers = { from: 900, to: 940 } as const;
/** From the start, where somebody of each job is. */
const looked = 200;

/** Incident types and a quiet night of the demo city. */
export class CallsDemo {
  readonly #deps: CallsDemoDeps;

  constructor(deps: CallsDemoDeps) {
    this.#deps = deps;
  }

  async load(demo: Demo): Promise<number> {
    const { db, store, alerts } = this.#deps;
    const identifiers = demo.city.people.slice(callers.from, callers.to).map(({ identifier }) => identifier);
    const first = demo.city.people.slice(0, looked).map(({ identifier }) => identifier);
    const crossings = demo.city.crossings.flat();
    return await db.write("calls.demo", async (tx) => {
      if (!(await this.#setUp(tx, demo))) return 0;
      const people = [...(await charactersWithJobs(tx, identifiers)).values()];
      const staff = [...(await charactersWithJobs(tx, first)).values()];
      const names = await namesOfCitizens(
        tx,
        [...people, ...staff].map(({ id }) => id),
      );
      const callerOf = (at: number, anonymous: boolean) => {
        const person = people[at % Math.max(1, people.length)];
        return { citizenId: person?.id ?? null, name: person ? (names.get(person.id) ?? null) : null, anonymous, phone: null };
      };
      const writerOf = (job: string) => {
        const found = staff.find(({ jobs: [held] }) => held?.job === job);
        return found === undefined ? demo.actor : demoPerson({ id: found.id, name: names.get(found.id) ?? "", job });
      };
      for (const [at, { code, jobs, message, anonymous, notes, reports = [], end }] of demoCalls.entries()) {
        const row = (await types.typesOf(tx, [jobs[0]!])).find((one) => one.code === code)!;
        const type = typeOf(row);
        const place = crossings[(at * 7) % Math.max(1, crossings.length)];
        const alert = {
          jobs,
          type: { id: row.id, checklist: type.checklist },
          message,
          priority: type.priority,
          place: place === undefined ? null : { x: place.x, y: place.y },
          answers: [],
          source: null,
          caller: callerOf(at, anonymous),
        };
        const call = await store.create(tx, demo.actor, createCall.id, alert);
        for (const [i, text] of reports.entries())
          await store.fold(tx, demo.actor, createCall.id, call.id, {
            ...alert,
            message: text,
            caller: callerOf(at + 1 + i, i === 1),
          });
        const writer = writerOf(jobs[0]!);
        for (const text of notes) await store.write(tx, writer, call.id, { kind: "note", text });
        const action = end?.state === "completed" ? completeCall.id : cancelCall.id;
        if (end !== null) await store.end(tx, writer, call, { ...end, action });
      }
      const places = Array.from({ length: demoStorm.places }, (_one, at) => crossings[(at * 11) % Math.max(1, crossings.length)]);
      const storm = Array.from({ length: demoStorm.alerts }, (_one, at) => {
        const place = places[at % places.length];
        const said = { message: demoStorm.message, priority: demoStorm.priority, jobs: demoStorm.jobs };
        const point = place === undefined ? null : { x: place.x, y: place.y };
        return { ...said, type: null, place: point, answers: [], source: demoStorm.source, caller: null };
      });
      await alerts.fill(tx, demo.actor, syncCall.id, storm);
      return demoCalls.length;
    });
  }

  /** False where a job has types already. */
  async #setUp(tx: Tx, { actor }: Demo): Promise<boolean> {
    const { audit, clock } = this.#deps;
    const jobs = Object.keys(demoTypes);
    if ((await types.typesOf(tx, jobs)).length > 0) return false;
    for (const job of jobs) {
      const rules = { ...usualRules, public: true, version: 1 };
      await types.lockRules(tx, rowOfRules(job, rules, clock.now()));
      await audit.record(tx, actor, { action: putRules.id, object: { kind: "job", id: job }, after: { public: true } });
      for (const [at, content] of demoTypes[job]!.entries()) {
        const row = { ...columnsOfType(content), job, deleted_marker: 0, position: at + 1, version: 1 };
        const id = await types.insert(tx, row);
        const object = { kind: "calls.type", id, name: content.name };
        await audit.record(tx, actor, { action: createType.id, object, info: { job }, after: content });
      }
    }
    return true;
  }
}
