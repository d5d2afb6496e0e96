import { bulkInsert, queries } from "#core/db/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { EventMessage, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import { citizens, citizensJobs, type CitizenTables } from "#features/citizens/citizens.schema.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { ItemProblem } from "#features/sync/sync.batch.api.ts";
import { rejectedAs, sortItems } from "#features/sync/sync.items.policy.ts";
import type { TestDatabase } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import { checkSource, dutyChanged, type DutyPerson, dutyEnded, endDueDuty, type ByHandMode, syncDuty } from "./duty.contract.ts";
import { DutyByHand } from "./duty.hand.service.ts";
import { DutyMismatches } from "./duty.mismatches.service.ts";
import * as repo from "./duty.repo.ts";
import { DutyReports } from "./duty.reports.service.ts";
import { DutyRulesService } from "./duty.rules.service.ts";
import { DutyService } from "./duty.service.ts";
import { DutySigns } from "./duty.signs.service.ts";
import { DutySources } from "./duty.sources.service.ts";
import { DutyStore } from "./duty.store.service.ts";

interface DueTask {
  readonly definition: object;
  readonly payload: unknown;
  readonly dueAt: number;
}

/** An ended duty, as the event says it. */
export interface EndedDuty {
  readonly periodId: number;
  readonly citizenId: number;
  readonly job: string;
  readonly from: number;
  readonly to: number;
  readonly estimated: boolean;
}

/** Several processes of duty over one database, with the broker and the runner of tasks left out. */
export class DutyWorkers {
  readonly ended: EndedDuty[] = [];
  /** Everybody whom open pages were sent, in order. */
  readonly shown: DutyPerson[] = [];
  readonly #at: TestDatabase;
  readonly #tasks = new Map<string, DueTask>();
  readonly #workers: Worker[] = [];
  #turn = 0;

  constructor(at: TestDatabase) {
    this.#at = at;
  }

  async start(count: number): Promise<void> {
    this.#workers.splice(0);
    for (let i = 0; i < count; i += 1) this.#workers.push(new Worker(this.#at, this.#outbox, this.#queue));
    for (const worker of this.#workers) await worker.sources.start();
    await this.runDue();
  }

  /** The next worker, in turn. */
  get next(): Worker {
    this.#turn = (this.#turn + 1) % this.#workers.length;
    return this.#workers[this.#turn]!;
  }

  /** Time goes on: what is due in between is done at its instant, in order. */
  async pass(ms: number): Promise<void> {
    const { clock } = this.#at;
    await this.flush();
    const until = clock.now() + ms;
    for (let due = this.#due(until); due !== null; due = this.#due(until)) {
      await clock.advance(Math.max(0, due[1].dueAt - clock.now()));
      await this.#run(due);
    }
    await clock.advance(until - clock.now());
  }

  /** Nobody runs for this long; then all start again. */
  async down(ms: number): Promise<void> {
    await this.flush();
    const count = this.#workers.length;
    this.#workers.splice(0);
    await this.#at.clock.advance(ms);
    await this.start(count);
  }

  async flush(): Promise<void> {
    for (const { signs, mismatches } of this.#workers) {
      await signs.flush();
      await mismatches.flush();
    }
  }

  async stop(): Promise<void> {
    for (const { signs, mismatches } of this.#workers.splice(0)) {
      await signs.stop();
      await mismatches.stop();
    }
  }

  async runDue(): Promise<void> {
    for (let due = this.#due(this.#at.clock.now()); due !== null; due = this.#due(this.#at.clock.now())) await this.#run(due);
  }

  #due(until: number): [string, DueTask] | null {
    const due = [...this.#tasks].filter(([, { dueAt }]) => dueAt <= until);
    // At the same instant people come before sources, as anywhere else the order does not matter.
    const rank = ({ definition }: DueTask) => (definition === endDueDuty ? 0 : 1);
    return due.toSorted(([, a], [, b]) => a.dueAt - b.dueAt || rank(a) - rank(b))[0] ?? null;
  }

  async #run([key, { definition, payload }]: [string, DueTask]): Promise<void> {
    this.#tasks.delete(key);
    const worker = this.next;
    await this.#at.db.write("test.task", async (tx) => {
      if (definition === endDueDuty) await worker.service.endDue(tx, (payload as { citizenId: number }).citizenId);
      if (definition === checkSource) {
        const { source } = payload as { source: string };
        await worker.sources.plan(tx, source, await worker.sources.check(tx, source));
      }
    });
  }

  /** Every process learns of a change with its commit. */
  get #outbox(): Outbox {
    return {
      emit: async (tx, event, { payload }) => {
        tx.afterCommit(() => {
          if (event.id === dutyEnded.id) this.ended.push(...(payload as { items: EndedDuty[] }).items);
          if (event.id !== dutyChanged.id) return;
          const { items } = payload as EventMessage<typeof dutyChanged>["payload"];
          this.shown.push(...items);
          const ids = items.map(({ id }) => id);
          for (const worker of this.#workers) worker.signs.invalidate(ids);
        });
      },
    };
  }

  get #queue(): Tasks {
    const put = (
      definition: { readonly id: string },
      { payload, key = "", dueAt = 0 }: { payload: unknown; key?: string; dueAt?: number },
    ) => this.#tasks.set(`${definition.id} ${key}`, { definition, payload, dueAt });
    return {
      async enqueue(tx: Tx, definition: { id: string }, task: never) {
        tx.afterCommit(() => put(definition, task));
        return "1";
      },
      async enqueueAll(tx: Tx, definition: { id: string }, tasks: readonly never[]) {
        tx.afterCommit(() => tasks.forEach((task) => put(definition, task)));
        return [];
      },
    } as unknown as Tasks;
  }
}

/** The services of one process. */
class Worker {
  readonly store: DutyStore;
  readonly sources: DutySources;
  readonly mismatches: DutyMismatches;
  readonly signs: DutySigns;
  readonly service: DutyService;
  readonly reports: DutyReports;
  readonly byHand: DutyByHand;
  readonly #at: TestDatabase;

  constructor(at: TestDatabase, outbox: Outbox, tasks: Tasks) {
    this.#at = at;
    const { db, clock } = at;
    const labels = {
      badge: (name: string, grade: number) => ({ name, label: name, grade, gradeLabel: "" }),
      label: (job: string) => job,
    };
    const meanings = {
      of: (job: string) => ({ job, offDuty: false }),
      exists: () => true,
      isWork: () => true,
    };
    const jobs = { labels: async () => labels, job: async () => null, list: async () => [], meanings: async () => meanings };
    const audit = { record: async () => undefined } as never;
    const shared = { db, clock, outbox, tasks, jobs, audit, log: silentLog };
    this.store = new DutyStore(shared);
    const rules = new DutyRulesService(shared);
    this.sources = new DutySources({ ...shared, store: this.store, noteMs: 0, behindMs: 0 });
    this.mismatches = new DutyMismatches(shared);
    const { mismatches } = this;
    this.signs = new DutySigns({ ...shared, store: this.store, sources: this.sources, mismatches });
    this.service = new DutyService({ ...shared, store: this.store, signs: this.signs });
    this.byHand = new DutyByHand({ ...shared, store: this.store, rules });
    this.reports = new DutyReports({ ...shared, sync: this.#sync, store: this.store, sources: this.sources, rules, mismatches });
  }

  get #sync(): SyncApi {
    return {
      applyBatch: async (_call, batch) => {
        const { valid, rejected } = sortItems(batch);
        return await this.#at.db.write(syncDuty.id, async (tx) => {
          const problems: ReadonlyMap<string, ItemProblem> =
            (await batch.problemsIn?.(tx, valid)) ?? new Map<string, ItemProblem>();
          const taken = valid.filter(({ id }) => !problems.has(id));
          const refused = valid.filter(({ id }) => problems.has(id));
          const accepted = taken.length === 0 ? 0 : await batch.apply(tx, taken);
          const more = refused.map(({ id, index }) => rejectedAs(index, id, problems.get(id)!));
          return { accepted, unchanged: taken.length - accepted, rejected: [...rejected, ...more], ...batch.more?.() };
        });
      },
    } as SyncApi;
  }

  /** Ends only a duty in this job. */
  async hand(citizenId: number, on: boolean, job: string): Promise<{ refused: boolean }> {
    if (!on && (await this.present(citizenId))?.job.name !== job) return { refused: true };
    const call = { viewer: () => ({ characterId: citizenId, characterName: "" }), actor: { kind: "system", name: "test" } };
    try {
      if (on) await this.byHand.begin(call as unknown as CallContext, job);
      else await this.byHand.end(call as unknown as CallContext);
      return { refused: false };
    } catch (error) {
      if (error instanceof AppError) return { refused: true };
      throw error;
    }
  }

  /** As it is shown; null for somebody who is off duty. */
  async present(citizenId: number): Promise<DutyPerson | null> {
    return (await this.presentOf([citizenId])).get(citizenId) ?? null;
  }

  /** Those of these people who are on duty, as they are shown. */
  async presentOf(citizenIds: readonly number[]): Promise<Map<number, DutyPerson>> {
    return await this.#at.db.read("test.present", async (tx) => {
      const people = await repo.readPeople(tx, citizenIds);
      const changes = people.map((person) => ({ person, was: null }));
      const shown = await this.store.shown(tx, changes, await repo.listSources(tx));
      return new Map(shown.map((one) => [one.id, one]));
    });
  }
}

export interface TestPerson {
  readonly id: number;
  readonly licence: string;
  readonly jobs: readonly string[];
}

/** Characters as far as duty reads them. */
export async function createPeople({ db }: TestDatabase, people: readonly TestPerson[]): Promise<void> {
  const text = { first_name: "A", last_name: "B", name_key: "b a", date_of_birth: null, sex: null, height: null };
  const rest = { phone_number: null, visum: null, playtime: null, sync_hash: "", search_hash: "", source: "" };
  const times = { version: 1, created_at: 0, updated_at: 0, deleted_at: null };
  await db.write("test.people", async (tx) => {
    const rows = people.map(({ id, licence, jobs }) => {
      return { id, identifier: identifierOf(id), licence, ...text, job: jobs[0] ?? "", grade: 0, ...rest, ...times };
    });
    await bulkInsert(tx, citizens, rows);
    await insertJobs(tx, people);
  });
}

async function insertJobs(tx: Tx, people: readonly Pick<TestPerson, "id" | "jobs">[]): Promise<void> {
  const rows = people.flatMap(({ id, jobs }) =>
    jobs.map((job, i) => ({ citizen_id: id, job, grade: 0, is_primary: i === 0 ? (1 as const) : (0 as const) })),
  );
  await bulkInsert(tx, citizensJobs, rows);
}

export const identifierOf = (id: number): string => `char1:${id}`;

/** What the game says now, as the reaction to it sees it. */
export async function changeJobs(
  { db }: TestDatabase,
  worker: { readonly service: DutyService },
  id: number,
  jobs: readonly string[],
) {
  await db.write("test.jobs", async (tx) => {
    await queries<CitizenTables>(tx).deleteFrom("citizens_jobs").where("citizen_id", "=", id).execute();
    await insertJobs(tx, [{ id, jobs }]);
    await worker.service.jobsChanged(tx, { items: [], changed: [{ id, parts: ["jobs"] }] });
  });
}

export async function changeMode({ db, clock }: TestDatabase, job: string, byHand: ByHandMode): Promise<void> {
  await db.write("test.mode", async (tx) => {
    await repo.ensureRules(tx, { job, by_hand: byHand, game_since: null, version: 0, updated_at: clock.now() });
    const row = (await repo.rulesOf(tx, [job])).get(job)!;
    await repo.saveRules(tx, { ...row, by_hand: byHand });
  });
}
