import { randomBytes } from "node:crypto";
import { CompiledQuery } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  answerHandOver,
  type CallDetail,
  callsPermissions,
  cancelCall,
  completeCall,
  createCall,
  createType,
  editCall,
  exampleTypeContent,
  getCall,
  handOverCall,
  type IncidentType,
  mergeCalls,
  type NewCall,
  putRules,
  putType,
  reopenCall,
  splitCall,
  type TypeContent,
  undoMerge,
  usualRules,
  withdrawHandOver,
} from "./calls.contract.ts";
import type { CallsTables } from "./calls.schema.ts";

export const newJob = (name: string) => `${name}${randomBytes(4).toString("hex")}`;

/** Gives a job a level over a call, as a job that shares it will; none dispatches it by this. */
export async function helps({ app }: AppUnderTest, id: number, job: string, level = "participate"): Promise<void> {
  await app.process.container.db.write("test.helps", async (tx) => {
    const row = { call_id: id, job, level, min_grade: 0, expires_at: null, position: 5 };
    await queries<CallsTables>(tx).insertInto("calls_jobs").values(row).execute();
  });
}

export const allRights = Object.fromEntries(Object.values(callsPermissions).map(({ id }) => [id, true as const]));

/** Somebody of a new job, or of this one, who dispatches and sets it up. */
export async function dispatcher({ world }: AppUnderTest, job = newJob("dispatch")): Promise<TestActor & { job: string }> {
  await world.job(job, [0, 1]);
  return { ...(await world.actor({ job, grade: 1, rights: allRights })), job };
}

/** What this person sends for a new call of these jobs. */
export async function makeCall({ app }: AppUnderTest, { token }: Pick<TestActor, "token">, sent: Partial<NewCall>) {
  return await app.call(createCall, { body: { typeId: null, message: "Help is needed", ...sent } }, { token });
}

/** The next alert is no longer added to this call: the last one was too long ago. */
export async function longAgo({ app }: Pick<AppUnderTest, "app">, id: number): Promise<void> {
  await app.process.container.db.write("test.longAgo", async (tx) => {
    await queries<CallsTables>(tx).updateTable("calls").set({ last_alert_at: 0 }).where("id", "=", id).execute();
  });
}

/** The next alert of the same may be added to this call again. */
export async function lately({ app }: Pick<AppUnderTest, "app">, id: number): Promise<void> {
  const { db, ports } = app.process.container;
  await db.write("test.lately", async (tx) => {
    await queries<CallsTables>(tx).updateTable("calls").set({ last_alert_at: ports.clock.now() }).where("id", "=", id).execute();
  });
}

/** What alerts that are added to a call have in common with it. */
export async function keyOf({ app }: Pick<AppUnderTest, "app">, id: number): Promise<string> {
  return await app.process.container.db.read("test.keyOf", async (tx) => {
    const select = queries<CallsTables>(tx).selectFrom("calls").select("fold_key").where("id", "=", id);
    return (await select.executeTakeFirstOrThrow()).fold_key;
  });
}

/** Whether a unit of work waits for a lock, perhaps of this one; on MariaDB alone. */
export async function waitsForLock(tx: Tx): Promise<boolean> {
  const text = "select count(*) as n from information_schema.innodb_trx where trx_state = 'LOCK WAIT'";
  const { rows } = await queries(tx).executeQuery<{ n: unknown }>(CompiledQuery.raw(text));
  return Number(rows[0]!.n) > 0;
}

/** A call that takes no further alerts. */
export async function mustCall(...args: Parameters<typeof makeCall>): Promise<CallDetail> {
  const answer = await makeCall(...args);
  if (answer.status !== 200) throw new Error(`the call was refused: ${answer.status} ${answer.text}`);
  const [under, { token }] = args;
  await longAgo(under, answer.output.id);
  return (await under.app.call(getCall, { params: { id: answer.output.id } }, { token })).output;
}

export async function addType(
  { app }: AppUnderTest,
  { token }: Pick<TestActor, "token">,
  content: Partial<TypeContent> = {},
): Promise<IncidentType> {
  const answer = await app.call(createType, { body: { ...exampleTypeContent, ...content } }, { token });
  if (answer.status !== 200) throw new Error(`the type was not created: ${answer.status} ${answer.text}`);
  return answer.output;
}

/** A call of a new job, and who dispatches it. */
async function opened(under: AppUnderTest) {
  const who = await dispatcher(under);
  return { who, call: await mustCall(under, who, { jobs: [who.job] }) };
}

async function openedTwo(under: AppUnderTest) {
  const { who, call } = await opened(under);
  return { who, call, other: await mustCall(under, who, { jobs: [who.job] }) };
}

/** Two jobs, of which everybody may call the second one, and a call of the first one. */
export async function neighbours(under: AppUnderTest) {
  const [from, to] = [await dispatcher(under), await dispatcher(under)];
  await under.app.call(putRules, { body: { ...usualRules, public: true } }, { token: to.token });
  return { from, to, call: await mustCall(under, from, { jobs: [from.job] }) };
}

/** Hands a call of one's job over to another one, which has not answered yet. */
export async function mustHandOver(
  { app }: Pick<AppUnderTest, "app">,
  { token }: Pick<TestActor, "token">,
  id: number,
  job: string,
) {
  const { version } = (await app.call(getCall, { params: { id } }, { token })).output;
  const answer = await app.call(handOverCall, { params: { id }, body: { version, job } }, { token });
  if (answer.status !== 200) throw new Error(`the call was not handed over: ${answer.status} ${answer.text}`);
  return answer.output;
}

/** Merges two calls; the older one, as it is afterwards. */
export async function mustMerge(
  { app }: Pick<AppUnderTest, "app">,
  { token }: Pick<TestActor, "token">,
  one: Pick<CallDetail, "id">,
  other: Pick<CallDetail, "id">,
  uniteJobs = false,
): Promise<CallDetail> {
  const versionOf = async ({ id }: Pick<CallDetail, "id">) =>
    (await app.call(getCall, { params: { id } }, { token })).output.version;
  const body = { version: await versionOf(one), other: { id: other.id, version: await versionOf(other) }, uniteJobs };
  const answer = await app.call(mergeCalls, { params: { id: one.id }, body }, { token });
  if (answer.status !== 200) throw new Error(`the calls were not merged: ${answer.status} ${answer.text}`);
  return answer.output;
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: editCall,
    async prepare(under) {
      const { who, call } = await opened(under);
      const body = { typeId: null, priority: 2, postal: null };
      const change = (turn: string) => ({ params: { id: call.id }, body: { ...body, message: turn } });
      return { as: { token: who.token }, version: call.version, change };
    },
  },
  ...[completeCall, cancelCall].map((operation): VersionedOperation => ({
    operation,
    async prepare(under) {
      const { who, call } = await opened(under);
      const change = (turn: string) => ({ params: { id: call.id }, body: { reason: turn } });
      return { as: { token: who.token }, version: call.version, change };
    },
  })),
  {
    operation: reopenCall,
    async prepare(under) {
      const { who, call } = await opened(under);
      const as = { token: who.token };
      const { output } = await under.app.call(completeCall, { params: { id: call.id }, body: { version: call.version } }, as);
      return { as, version: output.version, change: (turn) => ({ params: { id: call.id }, body: { reason: turn } }) };
    },
  },
  {
    operation: splitCall,
    async prepare(under) {
      const { who, call } = await opened(under);
      const change = (turn: string) => ({ params: { id: call.id }, body: { message: turn, unitIds: [], noteIds: [] } });
      return { as: { token: who.token }, version: call.version, change };
    },
  },
  {
    operation: handOverCall,
    async prepare(under) {
      const { from, to, call } = await neighbours(under);
      const change = () => ({ params: { id: call.id }, body: { job: to.job } });
      return { as: { token: from.token }, version: call.version, change };
    },
  },
  ...[answerHandOver, withdrawHandOver].map((operation): VersionedOperation => ({
    operation,
    async prepare(under) {
      const { from, to, call } = await neighbours(under);
      const { version } = await mustHandOver(under, from, call.id, to.job);
      const isAnswer = operation === answerHandOver;
      const change = () => ({ params: { id: call.id }, body: isAnswer ? { accept: true } : {} });
      return { as: { token: (isAnswer ? to : from).token }, version, change };
    },
  })),
  {
    operation: mergeCalls,
    async prepare(under) {
      const { who, call, other } = await openedTwo(under);
      const body = { other: { id: other.id, version: other.version } };
      const change = (turn: string) => ({ params: { id: call.id }, body: { ...body, uniteJobs: turn === "left" } });
      return { as: { token: who.token }, version: call.version, change };
    },
  },
  {
    operation: undoMerge,
    async prepare(under) {
      const { who, call, other } = await openedTwo(under);
      const merged = await mustMerge(under, who, other, call);
      const { version } = merged.merged[0]!;
      return { as: { token: who.token }, version, change: () => ({ params: { id: other.id }, body: {} }) };
    },
  },
  {
    operation: putType,
    async prepare(under) {
      const who = await dispatcher(under);
      const { id, version } = await addType(under, who);
      const change = (turn: string) => ({ params: { id }, body: { ...exampleTypeContent, name: turn } });
      return { as: { token: who.token }, version, change };
    },
  },
  {
    operation: putRules,
    async prepare(under) {
      const { token } = await dispatcher(under);
      let waitSeconds = 60;
      return { as: { token }, version: 0, change: () => ({ body: { ...usualRules, waitSeconds: (waitSeconds += 1) } }) };
    },
  },
];
