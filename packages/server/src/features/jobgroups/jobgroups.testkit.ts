import { randomBytes } from "node:crypto";
import type { AttributeValue } from "#core/contract/index.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import { createGroup, exampleContent, type GroupContent, listMembers, putGroup, type WholeGroup } from "./jobgroups.contract.ts";

export const newJob = (name: string) => `${name}${randomBytes(4).toString("hex")}`;

export const allRights: Record<string, Record<string, AttributeValue>> = {
  "jobgroups.list": {},
  "jobgroups.manage": {},
  "jobgroups.members": {},
};

const byHand = { membership: "hand", rules: [], contains: [] } as const;
export const fromGrade = (from: number, to: number | null = null) => ({ kind: "grade", id: null, from, to });

export async function tryGroup({ app }: AppUnderTest, { token }: Pick<TestActor, "token">, content: Partial<GroupContent>) {
  return await app.call(createGroup, { body: { ...exampleContent, ...byHand, ...content } as GroupContent }, { token });
}

export async function addGroup(...args: Parameters<typeof tryGroup>): Promise<WholeGroup> {
  const answer = await tryGroup(...args);
  if (answer.status !== 200) throw new Error(`the group was not created: ${answer.status} ${answer.text}`);
  return answer.output;
}

/** What a change sends of a group that stays as it is otherwise. */
export function contentOf({
  name,
  short,
  colour,
  icon,
  description,
  membership,
  rules = [],
  contains,
}: WholeGroup): GroupContent {
  const sent = rules.map(({ kind, id, from, to }) => ({ kind, id, from, to }));
  return { name, short, colour, icon, description, membership, rules: sent, contains: contains.map(({ id }) => id) };
}

/** Ids of the members whom somebody sees, in their order. */
export async function idsIn({ app }: AppUnderTest, { token }: Pick<TestActor, "token">, id: number): Promise<number[]> {
  const { output } = await app.call(listMembers, { params: { id }, query: { limit: 200 } }, { token });
  return output.items.map((one) => one.id);
}

/** What the game says of these people: each is in one job. */
export async function sendPeople(
  { app }: AppUnderTest,
  people: readonly { readonly identifier: string; readonly job: string; readonly grade?: number; readonly licence?: string }[],
): Promise<void> {
  for (let at = 0; at < people.length; at += 500) {
    const items = people.slice(at, at + 500).map(({ identifier, job, grade = 0, ...more }) => {
      return { identifier, firstName: "Mara", lastName: "Lind", jobs: [{ name: job, grade }], ...more };
    });
    const { body } = await app.call(syncUsers, { body: { items } }, { token: testSecrets.sync });
    if (body.rejected.length > 0) throw new Error(JSON.stringify(body.rejected[0]));
  }
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putGroup,
    async prepare(under) {
      const actor = await under.world.actor({ job: newJob("grouped"), rights: allRights });
      const group = await addGroup(under, actor, {});
      const change = (turn: string) => ({ params: { id: group.id }, body: { ...contentOf(group), name: turn } });
      return { as: { token: actor.token }, version: group.version, change };
    },
  },
];
