import { randomBytes } from "node:crypto";
import type { AttributeValue } from "#core/contract/index.ts";
import { dayFromNow } from "#testkit/days.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  type Absence,
  type AbsenceKind,
  type AbsenceRequest,
  cancelAbsence,
  createKind,
  decideAbsence,
  exampleKindContent,
  type KindContent,
  putKind,
  putRules,
  requestAbsence,
} from "./absences.contract.ts";

export const newJob = (name: string) => `${name}${randomBytes(4).toString("hex")}`;

export const managerRights: Record<string, Record<string, AttributeValue>> = {
  "absences.list": {},
  "absences.approve": {},
  "absences.kinds": {},
  "absences.export": {},
};

/** A request of this person for days from today. */
export async function ask(
  under: AppUnderTest,
  { token }: Pick<TestActor, "token">,
  [from, to]: readonly [number, number],
  more: Partial<AbsenceRequest> = {},
) {
  const body = { kindId: null, firstDay: dayFromNow(under, from), lastDay: dayFromNow(under, to), ...more };
  return await under.app.call(requestAbsence, { body }, { token });
}

export async function mustAsk(...args: Parameters<typeof ask>): Promise<Absence> {
  const answer = await ask(...args);
  if (answer.status !== 200) throw new Error(`the absence was refused: ${answer.status} ${answer.text}`);
  return answer.output;
}

export async function addKind(
  { app }: AppUnderTest,
  { token }: Pick<TestActor, "token">,
  content: Partial<KindContent> = {},
): Promise<AbsenceKind> {
  const answer = await app.call(createKind, { body: { ...exampleKindContent, ...content } }, { token });
  if (answer.status !== 200) throw new Error(`the kind was not created: ${answer.status} ${answer.text}`);
  return answer.output;
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: cancelAbsence,
    async prepare(under) {
      const actor = await under.world.actor({ job: newJob("cancels") });
      const { id, version } = await mustAsk(under, actor, [1, 2]);
      return { as: { token: actor.token }, version, change: () => ({ params: { id }, body: {} }) };
    },
  },
  {
    operation: decideAbsence,
    async prepare(under) {
      const job = newJob("decides");
      await under.world.job(job);
      const chief = await under.world.actor({ job, grade: 3, rights: managerRights });
      const member = await under.world.actor({ job, grade: 1 });
      const kind = await addKind(under, chief);
      const { id, version } = await mustAsk(under, member, [1, 2], { kindId: kind.id });
      const change = (turn: string) => ({ params: { id }, body: { approve: false, reason: turn } });
      return { as: { token: chief.token }, version, change };
    },
  },
  {
    operation: putKind,
    async prepare(under) {
      const actor = await under.world.actor({ job: newJob("kinds"), rights: managerRights });
      const { id, version } = await addKind(under, actor);
      const change = (turn: string) => ({ params: { id }, body: { ...exampleKindContent, name: turn } });
      return { as: { token: actor.token }, version, change };
    },
  },
  {
    operation: putRules,
    async prepare(under) {
      const actor = await under.world.actor({ job: newJob("rules"), rights: managerRights });
      let share = 10;
      return { as: { token: actor.token }, version: 0, change: () => ({ body: { share: (share += 1) } }) };
    },
  },
];
