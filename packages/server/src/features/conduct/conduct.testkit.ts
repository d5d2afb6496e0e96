import { randomBytes } from "node:crypto";
import type { AttributeValue } from "#core/contract/index.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  acknowledgeEntry,
  type ConductEntry,
  type ConductKind,
  createEntry,
  createKind,
  type EntryContent,
  exampleKindContent,
  type KindContent,
  putEntry,
  putKind,
  putRules,
  releaseEntry,
  replyToEntry,
  withdrawEntry,
} from "./conduct.contract.ts";

export const newJob = (name: string) => `${name}${randomBytes(4).toString("hex")}`;

type Rights = Record<string, Record<string, AttributeValue>>;
type Token = Pick<TestActor, "token">;

/** Writes about lower grades, and sees and changes what they wrote. */
export const leaderRights: Rights = { "conduct.view": {}, "conduct.write": {} };

export const chiefRights: Rights = {
  "conduct.view": { fields: ["all"] },
  "conduct.write": { fields: ["all"] },
  "conduct.kinds": {},
  "conduct.export": {},
};

/** A job with a member of grade 1, a leader of grade 2, who writes, and a chief of grade 3, who sees everything. */
export async function team({ world }: AppUnderTest, name = "conduct") {
  const job = newJob(name);
  await world.job(job, [0, 1, 2, 3]);
  const member = await world.actor({ job, grade: 1 });
  await world.grant(job, 2, leaderRights);
  await world.grant(job, 3, chiefRights);
  const leader = await world.actor({ job, grade: 2 });
  const chief = await world.actor({ job, grade: 3 });
  return { job, member, leader, chief };
}

export async function addKind({ app }: AppUnderTest, { token }: Token, content: Partial<KindContent> = {}): Promise<ConductKind> {
  const answer = await app.call(createKind, { body: { ...exampleKindContent, ...content } }, { token });
  if (answer.status !== 200) throw new Error(`the kind was not created: ${answer.status} ${answer.text}`);
  return answer.output;
}

export async function draft(
  { app }: AppUnderTest,
  { token }: Token,
  citizenId: number,
  content: Partial<EntryContent> & Pick<EntryContent, "kindId">,
) {
  const body = { citizenId, points: 3, text: "Left the car unlocked", expiresOn: null, ...content };
  return await app.call(createEntry, { body }, { token });
}

export async function mustDraft(...args: Parameters<typeof draft>): Promise<ConductEntry> {
  const answer = await draft(...args);
  if (answer.status !== 200) throw new Error(`the entry was not created: ${answer.status} ${answer.text}`);
  return answer.output;
}

export async function mustRelease(under: AppUnderTest, { token }: Token, { id, version }: ConductEntry): Promise<ConductEntry> {
  const answer = await under.app.call(releaseEntry, { params: { id }, body: { version } }, { token });
  if (answer.status !== 200) throw new Error(`the entry was not released: ${answer.status} ${answer.text}`);
  return answer.output;
}

/** A released entry about the member, and everybody of the job. */
export async function released(under: AppUnderTest, content: Partial<EntryContent> = {}) {
  const people = await team(under);
  const kind = await addKind(under, people.chief);
  const written = await mustDraft(under, people.leader, people.member.characterId, { kindId: kind.id, ...content });
  return { ...people, kind, entry: await mustRelease(under, people.leader, written) };
}

async function drafted(under: AppUnderTest) {
  const people = await team(under);
  const kind = await addKind(under, people.chief);
  return { ...people, kind, entry: await mustDraft(under, people.leader, people.member.characterId, { kindId: kind.id }) };
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putEntry,
    async prepare(under) {
      const { leader, kind, entry } = await drafted(under);
      const content = { kindId: kind.id, points: 1, expiresOn: null };
      const change = (turn: string) => ({ params: { id: entry.id }, body: { ...content, text: turn } });
      return { as: { token: leader.token }, version: entry.version, change };
    },
  },
  {
    operation: releaseEntry,
    async prepare(under) {
      const { leader, entry } = await drafted(under);
      return { as: { token: leader.token }, version: entry.version, change: () => ({ params: { id: entry.id }, body: {} }) };
    },
  },
  {
    operation: withdrawEntry,
    async prepare(under) {
      const { leader, entry } = await released(under);
      const change = (turn: string) => ({ params: { id: entry.id }, body: { reason: turn } });
      return { as: { token: leader.token }, version: entry.version, change };
    },
  },
  {
    operation: acknowledgeEntry,
    async prepare(under) {
      const { member, entry } = await released(under);
      return { as: { token: member.token }, version: entry.version, change: () => ({ params: { id: entry.id }, body: {} }) };
    },
  },
  {
    operation: replyToEntry,
    async prepare(under) {
      const { member, entry } = await released(under);
      const change = (turn: string) => ({ params: { id: entry.id }, body: { text: turn } });
      return { as: { token: member.token }, version: entry.version, change };
    },
  },
  {
    operation: putKind,
    async prepare(under) {
      const { chief } = await team(under);
      const { id, version } = await addKind(under, chief);
      const change = (turn: string) => ({ params: { id }, body: { ...exampleKindContent, name: turn } });
      return { as: { token: chief.token }, version, change };
    },
  },
  {
    operation: putRules,
    async prepare(under) {
      const { chief } = await team(under);
      let points = 10;
      const change = () => ({ body: { thresholds: [{ points: (points += 1), notify: "viewers" as const }] } });
      return { as: { token: chief.token }, version: 0, change };
    },
  },
];
