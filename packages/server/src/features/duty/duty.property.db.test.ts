import fc from "fast-check";
import { expect, it } from "vitest";
import { isCurrent, type Origin } from "#features/positions/positions.policy.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import type { DutyPerson, SyncDutyItem } from "./duty.contract.ts";
import { DutyModel, type Interval, type Present, type Step } from "./duty.model.testkit.ts";
import { type Scenario, stepsArbitrary } from "./duty.steps.testkit.ts";
import { changeJobs, changeMode, createPeople, DutyWorkers, identifierOf, type TestPerson } from "./duty.workers.testkit.ts";

const runs = 20 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const seed = Number(process.env["ROLLCALL_TEST_SEED"] ?? 20_261_125);

interface Person extends TestPerson {
  readonly name: string;
}

/** One sequence on the program. */
class Run {
  readonly workers: DutyWorkers;
  readonly #at: TestDatabase;
  readonly #people: Map<string, Person>;
  readonly #jobs = new Map<string, readonly string[]>();
  /** Of the last position of each person that had an effect. */
  readonly #origins = new Map<string, Origin>();

  constructor(at: TestDatabase, people: readonly Person[]) {
    this.#at = at;
    this.#people = new Map(people.map((one) => [one.name, one]));
    for (const { name, jobs } of people) this.#jobs.set(name, jobs);
    this.workers = new DutyWorkers(at);
  }

  idOf(person: string): number {
    return this.#people.get(person)!.id;
  }

  async apply(step: Step): Promise<boolean> {
    const { workers } = this;
    switch (step.kind) {
      case "pass":
        await workers.pass(step.ms);
        return false;
      case "down":
        await workers.down(step.ms);
        return false;
      case "mode":
        await changeMode(this.#at, step.job, step.mode);
        return false;
      case "jobs":
        this.#jobs.set(step.person, step.jobs);
        await changeJobs(this.#at, workers.next, this.idOf(step.person), step.jobs);
        return false;
      case "hand":
        return (await workers.next.hand(this.idOf(step.person), step.on, step.job)).refused;
      case "heartbeat":
        await workers.next.signs.seen(step.source, step.boot, []);
        return false;
      case "position":
        await this.#position(step);
        return false;
      case "duty":
      case "dropped":
      case "loaded":
        return await this.#report(step);
    }
  }

  async #report(step: Extract<Step, { kind: "duty" | "dropped" | "loaded" }>): Promise<boolean> {
    const { source, boot, key, person, at } = step;
    const event = step.kind === "duty" ? (step.on ? "on" : "off") : step.kind;
    const job = step.kind === "duty" ? step.job : null;
    const item: SyncDutyItem = { identifier: identifierOf(this.idOf(person)), event, job, at, key };
    // Signs of life are exact to 15 seconds; here those seconds have passed.
    await this.workers.flush();
    const result = await this.workers.next.reports.sync({} as never, { source, boot, items: [item] });
    return result.rejected.length > 0;
  }

  /** As `positions` does it: one that is older than the last has no effect at all. */
  async #position({ source, boot, seq, person, job, off, remove }: Extract<Step, { kind: "position" }>): Promise<void> {
    const from: Origin = { source, boot, takenAt: seq };
    const isTaken = isCurrent(this.#origins.get(person) ?? null, from);
    if (isTaken) this.#origins.set(person, from);
    const { id: citizenId, licence } = this.#people.get(person)!;
    const jobs = this.#jobs.get(person)!;
    const held = job === null ? jobs[0] : jobs.find((one) => one === job);
    const sign = { citizenId, licence, job: held ?? null, named: null, grade: 0, offDuty: off, remove };
    await this.workers.next.signs.seen(source, boot, isTaken ? [sign] : []);
  }
}

function presentOf(found: DutyPerson | null): Present | null {
  return found && { job: found.job.name, since: found.since, by: found.by, state: found.state };
}

const tables = [
  "duty_people",
  "duty_sources",
  "duty_reports",
  "duty_periods",
  "duty_silences",
  "duty_jobs",
  "citizens",
  "citizens_jobs",
];

async function empty({ db, statements }: TestDatabase): Promise<void> {
  // Its events hold each unit of work, and 10,000 sequences make a million.
  statements.reset();
  await db.exclusive("test.empty", async ({ connection }) => {
    await connection.begin("write");
    for (const table of tables) await connection.execute(`delete from ${table}`, []);
    await connection.commit();
  });
}

const byEnd = (a: Interval, b: Interval) => a.to - b.to || a.from - b.from || a.person.localeCompare(b.person);

async function follow(at: TestDatabase, scenario: Scenario): Promise<void> {
  const numbered = scenario.people.map(({ person, licence, jobs }, i) => ({ name: person, id: i + 1, licence, jobs }));
  const run = new Run(at, numbered);
  try {
    await compare(at, run, numbered, scenario);
  } finally {
    // Nothing of it is written into the next sequence.
    await run.workers.stop();
  }
}

async function compare(at: TestDatabase, run: Run, numbered: readonly Person[], { now, people, steps }: Scenario): Promise<void> {
  await empty(at);
  at.clock.step(now - at.clock.now());
  await createPeople(at, numbered);
  const model = new DutyModel(now, people);
  await run.workers.start(2);
  for (const [i, step] of steps.entries()) {
    const about = `step ${i} ${JSON.stringify(step)}`;
    const refused = await run.apply(step);
    await run.workers.runDue();
    expect({ about, refused }).toEqual({ about, refused: model.apply(step).refused });
    const shown = await run.workers.next.presentOf(people.map(({ person }) => run.idOf(person)));
    const found = people.map(({ person }) => ({ person, found: presentOf(shown.get(run.idOf(person)) ?? null) }));
    const wanted = people.map(({ person }) => ({ person, found: model.present(person) }));
    expect({ about, found }).toEqual({ about, found: wanted });
  }
  const ended = run.workers.ended.map(({ citizenId, job, from, to, estimated }): Interval => {
    return { person: numbered[citizenId - 1]!.name, job, from, to, estimated };
  });
  expect(ended.toSorted(byEnd)).toEqual([...model.intervals()].toSorted(byEnd));
}

describeDatabases("duty over any sequence", (get) => {
  it(`is what the rules say (${runs} sequences)`, { timeout: 60_000 + runs * 10_000 }, async () => {
    const property = fc.asyncProperty(stepsArbitrary(), async (scenario) => await follow(get(), scenario));
    await fc.assert(property, { numRuns: runs, seed });
  });
});
