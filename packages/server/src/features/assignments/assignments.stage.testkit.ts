import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Clock } from "#core/ports/index.ts";
import { callsPermissions } from "#features/calls/calls.contract.ts";
import { expireCall, handOverUnanswered } from "#features/calls/calls.contract.ts";
import { dutyEnded } from "#features/duty/duty.contract.ts";
import { beginDuty } from "#features/duty/duty.contract.ts";
import { deskPermissions } from "#features/desk/desk.contract.ts";
import { unitsPermissions } from "#features/units/units.contract.ts";
import { dissolveUnit, unitsEmptied } from "#features/units/units.contract.ts";
import { createType, exampleTypeContent } from "#features/calls/calls.contract.ts";
import { systemClock } from "#infra/clock.ts";
import { dsnText, startApp, type TestApp } from "#testkit/app.ts";
import { openTestDatabase } from "#testkit/database.ts";
import { createWorld, type TestActor } from "#testkit/world.ts";
import { expireOffer } from "./assignments.contract.ts";
import type { Id, Place, Unit, World } from "./assignments.types.model.testkit.ts";

export type Sql = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** A step of the clock runs these, each at the instant that it is due. */
const timers = [expireCall, handOverUnanswered, expireOffer, dissolveUnit].map(({ id }) => id);
const followed = [dutyEnded, unitsEmptied].map(({ id }) => id);

const followers = /^(?:desk|units|assignments)\./;

const workJobs = ["police", "medic", "fire"] as const;
/** Which jobs everybody may call; the same in every world. */
export const publicJobs: readonly Id[] = ["police", "medic"];
const types = ["fire", "accident", "theft"] as const;
const postals: readonly (Place & { readonly code: string })[] = [
  { code: "1", x: 0, y: 0 },
  { code: "2", x: 30, y: 0 },
  { code: "3", x: 500, y: 0 },
  { code: "4", x: 900, y: 900 },
];
export const postalAt = (place: Place | null): string | null =>
  postals.find(({ x, y }) => x === place?.x && y === place.y)?.code ?? null;

/** Everything that one sequence leaves behind. */
const emptied = [
  ...["calls", "calls_jobs", "calls_callers", "calls_alerts", "calls_entries", "calls_merges", "calls_links"],
  ...["calls_handovers", "calls_folds", "assignments", "assignments_moves", "assignments_rules", "units", "units_members"],
  ...["units_events", "units_rules", "panic", "panic_alarms", "desk_people", "desk_windows", "worker_tasks", "outbox_events"],
];

/** Stands still between two steps, so that deadlines are exact; timers of the program run as usual. */
class StandingClock implements Clock {
  #now = Date.now();
  readonly now = () => this.#now;
  readonly monotonic = systemClock.monotonic;
  readonly setTimeout = systemClock.setTimeout;
  readonly sleep = systemClock.sleep;
  moveTo(now: number): void {
    this.#now = Math.max(this.#now, now);
  }
}

const dispatchRights = {
  [callsPermissions.dispatch.id]: true,
  [deskPermissions.open.id]: true,
  [unitsPermissions.assign.id]: { whose: ["any"] },
  [unitsPermissions.status.id]: true,
} as const;

/** Who is who in all worlds; grades decide about rights, and are those of the model. */
const gradeOf = (id: Id, grade: number) => (id === "z1" ? 1 : grade);

/** The program with the people of the model: one process on SQLite, two on one MariaDB. They run no tasks by themselves. */
export class Stage {
  readonly clock = new StandingClock();
  readonly people = new Map<Id, TestActor>();
  /** Who administers the units of a job. */
  readonly leads = new Map<Id, TestActor>();
  readonly units = new Map<Id, number>();
  readonly types = new Map<string, number>();
  readonly #apps: TestApp[] = [];
  #turn = 0;
  #end: () => Promise<void> = async () => undefined;
  /** When the present sequence began. */
  begun = 0;

  static async open(kind: "sqlite" | "mariadb", world: World): Promise<Stage> {
    const stage = new Stage();
    const folder = mkdtempSync(path.join(tmpdir(), "rollcall-model-"));
    const file = path.join(folder, "postals.json");
    writeFileSync(file, JSON.stringify(postals));
    const database = await openTestDatabase(kind);
    stage.#end = async () => {
      for (const app of stage.#apps) await app.close();
      await database.empty();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    };
    const start = async () => {
      const env = { ROLLCALL_POSTALSFILE: file };
      stage.#apps.push(await startApp({ dsn: dsnText(database.dsn), env, roles: ["web"], clock: stage.clock }));
    };
    await start();
    await stage.#populate(world);
    // What the first one remembers of rights, the second one reads.
    if (kind === "mariadb") await start();
    return stage;
  }

  async close(): Promise<void> {
    await this.#end();
  }

  get now(): number {
    return this.clock.now();
  }

  /** The processes take turns. */
  get app(): TestApp {
    this.#turn += 1;
    return this.#apps[this.#turn % this.#apps.length]!;
  }

  async tokenOf(actor: TestActor): Promise<string> {
    return await createWorld(this.#apps[0]!).tokenOf(actor);
  }

  /** So that of two commands one is the first. */
  tick(): void {
    this.clock.moveTo(this.now + 1);
  }

  /** A token of who administers the units of a job. */
  async leadOf(job: Id): Promise<string> {
    return await this.tokenOf(this.leads.get(job)!);
  }

  /** Desks that are open say so for as long as a sequence lasts. */
  async keepDesks(): Promise<void> {
    await this.write(async (sql) => await sql("update desk_windows set until = ?", [never]));
  }

  async #populate(world: World): Promise<void> {
    const given = createWorld(this.#apps[0]!);
    for (const job of Object.keys(world.jobs)) {
      await given.job(job, [0, 1, 2, 3, 4, 5, 6]);
      const isCivil = job === "civil";
      await given.grant(job, isCivil ? 1 : 0, { [callsPermissions.view.id]: true, [callsPermissions.create.id]: true });
      if (isCivil) continue;
      await given.grant(job, 3, dispatchRights);
      await given.grant(job, 6, { [unitsPermissions.manage.id]: true, [callsPermissions.setup.id]: true });
      this.leads.set(job, await given.actor({ job, grade: 6 }));
    }
    for (const { id, job, grade } of Object.values(world.people)) {
      const actor = await given.actor({ job, grade: gradeOf(id, grade) });
      this.people.set(id, actor);
      await this.app.call(beginDuty, { body: { job } }, { token: actor.token });
    }
    for (const job of workJobs) {
      for (const code of types) {
        const body = { ...exampleTypeContent, code, name: code, jobs: [job], checklist: [], questions: [] };
        const made = await this.app.call(createType, { body }, { token: this.leads.get(job)!.token });
        this.types.set(`${job} ${code}`, made.output.id);
      }
    }
    await this.write(async (sql) => {
      await sql("delete from calls_rules", []);
      for (const job of workJobs)
        await sql(
          "insert into calls_rules (job, public, idle_minutes, wait_seconds, version, updated_at) values (?, ?, 60, 300, 1, 0)",
          [job, publicJobs.includes(job) ? 1 : 0],
        );
    });
  }

  /** Everything as at the beginning of this world. */
  async begin(world: World): Promise<void> {
    this.clock.moveTo(this.now + 60_000);
    this.begun = this.now;
    const at = this.now;
    await this.write(async (sql) => {
      for (const table of emptied) await sql(`delete from ${table}`, []);
      for (const job of Object.values(world.jobs)) {
        const rules = [job.name, job.mode, job.completeWithLastWork ? 1 : 0];
        await sql("insert into assignments_rules (job, mode, completes, version, updated_at) values (?, ?, ?, 1, 0)", rules);
        const returns = [job.name, job.minimumCrewMakesAvailable ? 1 : 0];
        await sql("insert into units_rules (job, returns, self_join, version, updated_at) values (?, ?, 1, 1, 0)", returns);
      }
      for (const { id, job, onDuty, desk } of Object.values(world.people)) {
        const { characterId } = this.people.get(id)!;
        const values = [onDuty ? job : null, at, at, characterId];
        await sql("update duty_people set job = ?, since = ?, seen_at = ?, missing_at = null where citizen_id = ?", values);
        if (desk !== "open") continue;
        await sql("insert into desk_people (citizen_id, job, since, needs_duty) values (?, ?, ?, 1)", [characterId, job, at]);
        await sql("insert into desk_windows (citizen_id, window_key, until) values (?, ?, ?)", [
          characterId,
          windowOf(id),
          never,
        ]);
      }
      for (const unit of Object.values(world.units)) await this.#addUnit(sql, unit, at);
    });
  }

  async #addUnit(sql: Execute, unit: Unit, at: number): Promise<void> {
    const number = (await sql("select coalesce(max(id), 0) + 1 as next from units", []))[0]!["next"] as number;
    const { id, job, minimumCrew, isStatic, temporary, status, crew } = unit;
    const row: Record<string, Sql> = {
      ...{ id: number, job, name: id, name_key: id.toLowerCase(), deleted_marker: 0, initials: "U1", colour: "#2563eb" },
      ...{
        tags: "[]",
        roles: "[]",
        min_crew: minimumCrew,
        max_crew: 20,
        is_static: isStatic ? 1 : 0,
        temporary: temporary ? 1 : 0,
      },
      ...{ position: number, base: status, status_at: at, has_work: 0, empty_since: crew.length > 0 ? null : at, version: 1 },
      created_at: at,
    };
    const names = Object.keys(row);
    await sql(`insert into units (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`, Object.values(row));
    this.units.set(id, number);
    for (const member of crew)
      await sql("insert into units_members (citizen_id, unit_id, joined_at) values (?, ?, ?)", [
        this.people.get(member)!.characterId,
        number,
        at,
      ]);
    if (temporary && crew.length === 0) {
      const { container } = this.app.process;
      this.#afterBegin.push(async () => {
        const task = { payload: { id: number }, key: `unit/${number}/empty`, dueAt: at + 900_000 };
        await container.db.write("test.plan", async (tx) => void (await container.ports.tasks.enqueue(tx, dissolveUnit, task)));
      });
    }
  }

  readonly #afterBegin: (() => Promise<void>)[] = [];

  /** What the beginning plans. */
  async plan(): Promise<void> {
    for (const step of this.#afterBegin.splice(0)) await step();
  }

  async write<T>(work: (sql: Execute) => Promise<T>): Promise<T> {
    return await this.#apps[0]!.process.container.db.exclusive("test.model", async ({ connection }) => {
      await connection.begin("write");
      const done = await work(async (text, values) => (await connection.execute(text, values)).rows);
      await connection.commit();
      return done;
    });
  }

  async read<T>(work: (sql: Execute) => Promise<T>): Promise<T> {
    return await this.#apps[0]!.process.container.db.exclusive(
      "test.model",
      async ({ connection }) => await work(async (text, values) => (await connection.execute(text, values)).rows),
    );
  }

  /** The clock goes on; what becomes due until then runs at its instant. */
  async advance(seconds: number): Promise<void> {
    const until = this.now + seconds * 1000;
    const marks = timers.map(() => "?").join(", ");
    const next = `select * from worker_tasks where kind in (${marks}) and due_at <= ? order by due_at, id limit 1`;
    for (;;) {
      const [task] = await this.read(async (sql) => await sql(next, [...timers, until]));
      if (task === undefined) break;
      this.clock.moveTo(Number(task["due_at"]));
      const { assembly, container } = this.app.process;
      const handler = assembly.tasks.find((one) => one.task.id === task["kind"]);
      if (!handler || !("apply" in handler)) throw new Error(`nothing applies ${String(task["kind"])}`);
      const id = Number(task["id"]);
      await this.write(async (sql) => await sql("delete from worker_tasks where id = ?", [id]));
      const running = {
        id: "test",
        payload: JSON.parse(String(task["payload"])) as object,
        dueAt: Number(task["due_at"]),
        attempt: 1,
      };
      await container.db.write("test.task", async (tx) => await handler.apply(tx, running as never));
      await this.react();
    }
    this.clock.moveTo(until);
  }

  /** Reactions to what happened, which a worker runs. */
  async react(): Promise<void> {
    const marks = followed.map(() => "?").join(", ");
    for (;;) {
      const select = `select id, type, payload from outbox_events where type in (${marks}) order by id limit 1`;
      const [event] = await this.read(async (sql) => await sql(select, followed));
      if (event === undefined) return;
      await this.write(async (sql) => await sql("delete from outbox_events where id = ?", [event["id"] as string]));
      const { assembly, container } = this.app.process;
      const message = { type: event["type"], payload: JSON.parse(String(event["payload"])) as object, at: this.now };
      for (const one of assembly.reactions.filter(
        ({ event: of, consumer }) => of.id === event["type"] && followers.test(consumer),
      ))
        await container.db.write("test.react", async (tx) => await one.handle(tx, message as never));
    }
  }
}

export type Execute = (text: string, values: readonly Sql[]) => Promise<SqlRow[]>;

const never = 9_000_000_000_000;
/** The one desk of a person, which stays open until it is closed. */
export const windowOf = (id: Id): string => `${id}00000000000000000`.slice(0, 20);
