import { randomBytes } from "node:crypto";
import type { AttributeValue } from "#core/contract/index.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  activityKinds,
  changedFields,
  type ColleagueLabel,
  colleagueFields,
  createLabel,
  getColleague,
  putColleague,
  putLabel,
} from "./colleagues.contract.ts";

export const newJob = (name: string) => `${name}${randomBytes(4).toString("hex")}`;

/** Everything of this feature, of those whom the rank reaches. */
export const rightsTo = (whose: string): Record<string, Record<string, AttributeValue>> => ({
  "colleagues.list": {},
  "colleagues.view": { fields: colleagueFields, whose: [whose] },
  "colleagues.edit": { fields: changedFields, whose: [whose] },
  "colleagues.labels": {},
  "colleagues.activity": { kinds: activityKinds, whose: [whose] },
  "colleagues.hire": {},
  "colleagues.promote": { whose: [whose] },
  "colleagues.dismiss": { whose: [whose] },
  "colleagues.statistics": {},
  "colleagues.export": {},
});

/** What the game says of this citizen. */
export async function sendPerson(
  { app }: AppUnderTest,
  identifier: string,
  job: string,
  grade = 0,
  lastName = "Lind",
): Promise<void> {
  const items = [{ identifier, firstName: "Mara", lastName, jobs: [{ name: job, grade }] }];
  const { body } = await app.call(syncUsers, { body: { items } }, { token: testSecrets.sync });
  if (body.rejected.length > 0) throw new Error(JSON.stringify(body.rejected));
}

/** Waits until Rollcall has seen that this citizen works with the actor. */
export async function seen({ app }: AppUnderTest, { token }: TestActor, id: number): Promise<void> {
  const until = Date.now() + 20_000;
  while ((await app.call(getColleague, { params: { id } }, { token })).status !== 200) {
    if (Date.now() > until) throw new Error(`nobody with the id ${id} came into the job`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function addLabel({ app }: AppUnderTest, { token }: TestActor, name: string): Promise<ColleagueLabel> {
  const answer = await app.call(createLabel, { body: { name, colour: "#2563eb", icon: null } }, { token });
  if (answer.status !== 200) throw new Error(`the label was not created: ${answer.status} ${answer.text}`);
  return answer.output;
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: putColleague,
    async prepare(under) {
      const job = newJob("noted");
      const actor = await under.world.actor({ job, rights: rightsTo("any") });
      await seen(under, actor, actor.characterId);
      const { output } = await under.app.call(getColleague, { params: { id: actor.characterId } }, { token: actor.token });
      const change = (turn: string) => ({ params: { id: actor.characterId }, body: { reason: "a test", note: turn } });
      return { as: { token: actor.token }, version: output.version, change };
    },
  },
  {
    operation: putLabel,
    async prepare(under) {
      const actor = await under.world.actor({ job: newJob("labelled"), rights: rightsTo("any") });
      const { id, version } = await addLabel(under, actor, "Before");
      const change = (turn: string) => ({ params: { id }, body: { name: turn, colour: "#2563eb", icon: null } });
      return { as: { token: actor.token }, version, change };
    },
  },
];
