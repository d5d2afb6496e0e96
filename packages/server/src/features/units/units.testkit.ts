import { randomBytes } from "node:crypto";
import { type AttributeValue, type WorkerTaskDefinition } from "#core/contract/index.ts";
import { beginDuty, endDuty } from "#features/duty/duty.contract.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  createStatus,
  createUnit,
  type CustomStatus,
  exampleContent,
  exampleStatusContent,
  listUnits,
  putRules,
  putStatus,
  putUnit,
  putUnitAccess,
  type StatusContent,
  type Unit,
  type UnitContent,
  usualRules,
} from "./units.contract.ts";

export const newJob = (name: string) => `${name}${randomBytes(4).toString("hex")}`;

export const leaderRights: Record<string, Record<string, AttributeValue> | true> = {
  "units.manage": true,
  "units.temporary": true,
  "units.assign": { whose: ["lower"] },
  "units.status": true,
};

type By = Pick<TestActor, "token">;
type Answer<T> = { readonly status: number; readonly text: string; readonly output: T };

async function must<T>(answer: Promise<Answer<T>>): Promise<T> {
  const got = await answer;
  if (got.status >= 300) throw new Error(`units could not be prepared: ${got.status} ${got.text}`);
  return got.output;
}

let counter = 0;

/** By default with a name of its own, for a crew from one. */
export async function addUnit({ app }: AppUnderTest, { token }: By, content: Partial<UnitContent> = {}): Promise<Unit> {
  counter += 1;
  const body = { ...exampleContent, name: `Unit ${counter}`, ...content };
  return await must(app.call(createUnit, { body }, { token }));
}

export async function addStatus(
  { app }: AppUnderTest,
  { token }: By,
  content: Partial<StatusContent> = {},
): Promise<CustomStatus> {
  return await must(app.call(createStatus, { body: { ...exampleStatusContent, ...content } }, { token }));
}

export async function goOnDuty({ app }: AppUnderTest, job: string, ...people: readonly By[]): Promise<void> {
  for (const { token } of people) await must(app.call(beginDuty, { body: { job } }, { token }));
}

export async function goOffDuty({ app }: AppUnderTest, { token }: By): Promise<void> {
  await must(app.call(endDuty, {}, { token }));
}

export async function unitsOf({ app }: AppUnderTest, { token }: By) {
  return await must(app.call(listUnits, {}, { token }));
}

/** Somebody who leads a job, and members of it; with `on`, all are on duty. */
export async function team(under: AppUnderTest, members = 2, isOn = true) {
  const { world } = under;
  const job = newJob("unit");
  await world.job(job);
  const crew: TestActor[] = [];
  for (let at = 0; at < members; at += 1) crew.push(await world.actor({ job, grade: 1 }));
  const leader = await world.actor({ job, grade: 3, rights: leaderRights });
  if (isOn) await goOnDuty(under, job, leader, ...crew);
  return { job, leader, crew };
}

/** Runs a task of this definition, as its worker does. */
export async function runTask({ app }: AppUnderTest, definition: WorkerTaskDefinition, payload: object): Promise<void> {
  const { assembly, container } = app.process;
  const handler = assembly.tasks.find(({ task }) => task.id === definition.id);
  if (!handler || !("apply" in handler)) throw new Error(`nothing applies ${definition.id}`);
  const task = { id: "test", payload, dueAt: 0, attempt: 1 };
  await container.db.write("test.task", async (tx) => await handler.apply(tx, task as never));
}

interface PlannedTask {
  readonly id?: number;
  readonly citizenId?: number;
  readonly dueAt: number;
}

/** When tasks of a definition are due, with their payloads. */
export async function planned({ app }: AppUnderTest, { id }: WorkerTaskDefinition): Promise<PlannedTask[]> {
  return await app.process.container.db.exclusive("test.planned", async ({ connection }) => {
    const { rows } = await connection.execute("select payload, due_at from worker_tasks where kind = ? order by id", [id]);
    return rows.map(({ payload, due_at }) => ({
      ...(JSON.parse(String(payload)) as Record<string, number>),
      dueAt: Number(due_at),
    }));
  });
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putUnitAccess,
    async prepare(under) {
      const { job, leader } = await team(under, 0, false);
      const { id, version } = await addUnit(under, leader);
      const entry = (minGrade: number) => ({ subject: "job", job, minGrade, id: 0, level: "join", required: null });
      const change = (turn: string) => ({ params: { id }, body: { entries: [entry(turn === "left" ? 1 : 2)] } });
      return { as: { token: leader.token }, version, change };
    },
  },
  {
    operation: putUnit,
    async prepare(under) {
      const { leader } = await team(under, 0, false);
      const { id, version } = await addUnit(under, leader);
      const change = (turn: string) => ({ params: { id }, body: { ...exampleContent, name: `${turn} unit` } });
      return { as: { token: leader.token }, version, change };
    },
  },
  {
    operation: putStatus,
    async prepare(under) {
      const { leader } = await team(under, 0, false);
      const { id, version } = await addStatus(under, leader);
      const { base: _, ...look } = exampleStatusContent;
      return {
        as: { token: leader.token },
        version,
        change: (turn: string) => ({ params: { id }, body: { ...look, name: turn } }),
      };
    },
  },
  {
    operation: putRules,
    async prepare(under) {
      const { leader } = await team(under, 0, false);
      let longMinutes = 20;
      const { version: _, ...rules } = usualRules;
      return { as: { token: leader.token }, version: 0, change: () => ({ body: { ...rules, longMinutes: (longMinutes += 1) } }) };
    },
  },
];
