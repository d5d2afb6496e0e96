import fc from "fast-check";
import { expect, it } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { queries } from "#core/db/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { ApprovalImpossible, type Tx } from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import type { EndedPeriod } from "#features/duty/duty.reads.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import * as corrections from "./timeclock.corrections.repo.ts";
import { AskingService } from "./timeclock.asking.service.ts";
import { CorrectionsService } from "./timeclock.corrections.service.ts";
import { DecisionsService } from "./timeclock.decisions.service.ts";
import { FreeTimes } from "./timeclock.free.service.ts";
import { type ModelEntry, type Scenario, type Step, TimeclockModel } from "./timeclock.model.testkit.ts";
import { EntryRecord } from "./timeclock.record.service.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import { RequestLimit } from "./timeclock.limit.service.ts";
import { TimeclockService } from "./timeclock.service.ts";
import type { ShownEntries } from "./timeclock.shown.service.ts";
import { scenarios } from "./timeclock.steps.testkit.ts";

const runs = 25 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const seed = Number(process.env["ROLLCALL_TEST_SEED"] ?? 20_261_126);
const zone = new Zone("Europe/Berlin");
const estimatedEndings = new Set(["missing", "silence", "restart"]);
const tables = ["timeclock_entries", "timeclock_days", "timeclock_corrections"] as const;
const actor = { kind: "system", name: "test" } as const;

type Ended = Extract<Step, { kind: "ended" }>;

function periodOf({ key, job, grade, from, to, ending, proposed }: Ended, citizenId: number): EndedPeriod {
  return {
    ...{ id: key + 1, citizen_id: citizenId, job, grade, from_at: from, to_at: to, started_by: "game", ending, source: null },
    ...{ estimated: estimatedEndings.has(ending) ? 1 : 0, proposed: proposed ? 1 : 0 },
  };
}

/** As a person types it: by the clock on the wall, and which of two that occur twice. */
function typed(instant: number) {
  const time = zone.iso(instant).slice(0, 19);
  const [earlier, later] = zone.instantsOf(time);
  return { time, which: later === undefined ? null : instant === earlier ? ("earlier" as const) : ("later" as const) };
}

/** One scenario on the program. */
class Run {
  readonly #at: TestDatabase;
  readonly #people: readonly string[];
  readonly #periods = new Map<number, EndedPeriod>();
  readonly #service: TimeclockService;
  readonly #corrections: CorrectionsService;
  readonly #decisions: DecisionsService;

  constructor(at: TestDatabase, people: readonly string[]) {
    const { db, clock } = at;
    this.#at = at;
    this.#people = people;
    const approvals = () => ({ request: async () => 1, withdraw: async () => undefined }) as never;
    const outbox = { emit: async () => undefined } as never;
    const asking = new AskingService({ clock, zone, approvals });
    this.#service = new TimeclockService({
      db,
      clock,
      zone,
      outbox,
      asking,
      later: { note: async () => undefined },
      estimated: { notify: async () => undefined },
      tasks: { enqueue: async () => "" },
    });
    const parts = {
      ...{ db, clock, zone, asking, service: this.#service },
      limit: new RequestLimit({ clock, zone }),
      record: new EntryRecord({ audit: { record: async () => undefined } as never }),
      jobs: { job: async () => null, labels: async () => ({}) as never },
      free: new FreeTimes({ clock, duty: { of: async () => new Map() } }),
      shown: { one: async () => null } as unknown as ShownEntries,
    };
    this.#corrections = new CorrectionsService(parts);
    this.#decisions = new DecisionsService(parts);
  }

  /** Whether the command was refused. */
  async apply(step: Step): Promise<boolean> {
    if (step.kind === "pass") this.#at.clock.step(step.ms);
    else if (step.kind === "ended") {
      this.#periods.set(step.key, periodOf(step, this.#people.indexOf(step.person) + 1));
      await this.#count(step.key);
    } else if (step.kind === "repeat") await this.#count(step.key);
    else {
      try {
        await this.#command(step);
      } catch (error) {
        if (error instanceof AppError || error instanceof ApprovalImpossible) return true;
        throw error;
      }
    }
    return false;
  }

  async #count(key: number): Promise<void> {
    const { db, clock } = this.#at;
    const period = this.#periods.get(key);
    if (period !== undefined) await db.write("test.count", async (tx) => await this.#service.count(tx, [period], clock.now()));
  }

  async #command(step: Extract<Step, { kind: "correct" | "decide" | "cancel" }>): Promise<void> {
    const { db } = this.#at;
    const entry = await db.read("test.entry", async (tx) => await entryOf(tx, step.key));
    const call = this.#callOf(entry);
    if (step.kind === "correct") {
      const [from, to] = [typed(step.from), typed(step.to)];
      const times = { from: from.time, fromWhich: from.which, to: to.time, toWhich: to.which };
      await this.#corrections.request(call, entry?.id ?? 0, { version: entry?.version ?? 1, reason: "test", ...times });
      return;
    }
    const open = entry && (await db.read("test.open", async (tx) => await openOf(tx, entry.id)));
    if (step.kind === "cancel") {
      await this.#corrections.cancel(call, open?.id ?? 0, open?.version ?? 1);
      return;
    }
    // The approval, which is of another feature, is asked for once and ends when it is decided.
    if (!open) throw new AppError({ code: "test.nothingOpen", status: 409 } as never);
    const request = { subject: String(open.id) } as never;
    const outcome = step.approve ? "approved" : "refused";
    const [handler] = this.#decisions.handlers;
    await db.write("test.decide", async (tx) => await handler!.decided(tx, actor, request, outcome, null));
  }

  #callOf(entry: { readonly citizen_id: number; readonly job: string } | null): CallContext {
    const viewer = { characterId: entry?.citizen_id ?? 1, characterName: "Somebody", job: entry?.job ?? "police", grade: 1 };
    return { actor, viewer: () => viewer as unknown as Viewer } as unknown as CallContext;
  }

  /** Entries by key, and sums by day and job, of a person. */
  async state(person: string) {
    const id = this.#people.indexOf(person) + 1;
    return await this.#at.db.read("test.state", async (tx) => {
      const db = queries<TimeclockTables>(tx);
      const rows = await db
        .selectFrom("timeclock_entries")
        .selectAll()
        .where("citizen_id", "=", id)
        .orderBy("period_id")
        .execute();
      const sums = await db.selectFrom("timeclock_days").selectAll().where("citizen_id", "=", id).execute();
      const entries = rows.map((row): ModelEntry => {
        const { period_id: period, from_at: from, to_at: to, estimated } = row;
        return { key: period - 1, state: row.state as ModelEntry["state"], from, to, estimated: Number(estimated) === 1 };
      });
      const days = sums.map(({ job, day, seconds }) => ({ job, day, seconds: Number(seconds) }));
      return { entries, days: days.filter(({ seconds }) => seconds !== 0).toSorted(byDay) };
    });
  }
}

const byDay = (a: { day: string; job: string }, b: { day: string; job: string }) =>
  a.day.localeCompare(b.day) || a.job.localeCompare(b.job);

async function entryOf(tx: Tx, key: number) {
  const select = queries<TimeclockTables>(tx)
    .selectFrom("timeclock_entries")
    .selectAll()
    .where("period_id", "=", key + 1);
  return (await select.executeTakeFirst()) ?? null;
}

async function openOf(tx: Tx, entryId: number) {
  return (await corrections.correctionsOf(tx, [entryId])).find(({ state }) => state === "requested") ?? null;
}

async function follow(at: TestDatabase, { now, people, steps }: Scenario): Promise<void> {
  // Its events hold each unit of work, and 10,000 scenarios make a million.
  at.statements.reset();
  await at.db.exclusive("test.empty", async ({ connection }) => {
    await connection.begin("write");
    for (const table of tables) await connection.execute(`delete from ${table}`, []);
    await connection.commit();
  });
  at.clock.step(now - at.clock.now());
  const model = new TimeclockModel(now);
  const run = new Run(at, people);
  for (const [i, step] of steps.entries()) {
    const about = `step ${i} ${JSON.stringify(step)}`;
    const refused = await run.apply(step);
    expect({ about, refused }).toEqual({ about, refused: model.apply(step).refused });
    for (const person of people) {
      const wanted = { about, person, entries: model.entries(person), days: model.days(person) };
      expect({ about, person, ...(await run.state(person)) }).toEqual(wanted);
    }
  }
}

describeDatabases("the timeclock over any sequence", (get) => {
  it(`is what the rules say (${runs} sequences)`, { timeout: 60_000 + runs * 10_000 }, async () => {
    const property = fc.asyncProperty(scenarios(), async (scenario) => await follow(get(), scenario));
    await fc.assert(property, { numRuns: runs, seed });
  });
});
