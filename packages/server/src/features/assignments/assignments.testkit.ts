import { allRights, mustCall } from "#features/calls/calls.testkit.ts";
import type { CallDetail, NewCall } from "#features/calls/calls.contract.ts";
import { joinUnit, type Unit, type UnitContent } from "#features/units/units.contract.ts";
import { addUnit, goOnDuty, leaderRights, newJob } from "#features/units/units.testkit.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  answerOffer,
  finishWork,
  handBack,
  offerUnits,
  putWorkRules,
  setProgress,
  usualRules,
  withdrawOffer,
} from "./assignments.contract.ts";

type Person = TestActor & { readonly job: string };

export interface Team {
  readonly job: string;
  /** Dispatches, and sets up calls and units. */
  readonly lead: Person;
  /** One in each unit. */
  readonly crew: readonly Person[];
  readonly units: readonly Unit[];
}

export const as = ({ token }: Pick<TestActor, "token">) => ({ token });

export async function join({ app }: AppUnderTest, who: TestActor, { id }: Pick<Unit, "id">): Promise<void> {
  const { status, text } = await app.call(joinUnit, { params: { id }, body: { role: null } }, as(who));
  if (status !== 200) throw new Error(`joining was refused: ${status} ${text}`);
}

/** A job with so many units, each with one member, all on duty. `rights`: of the members. */
export async function team(
  under: AppUnderTest,
  count = 1,
  content: Partial<UnitContent> = {},
  rights: Readonly<Record<string, true>> = { "calls.view": true },
): Promise<Team> {
  const { world } = under;
  const job = newJob("work");
  await world.job(job);
  const lead = { ...(await world.actor({ job, grade: 3, rights: { ...allRights, ...leaderRights } })), job };
  const crew: Person[] = [];
  const units: Unit[] = [];
  for (let at = 0; at < count; at += 1) {
    crew.push({ ...(await world.actor({ job, grade: 1, rights })), job });
    units.push(await addUnit(under, lead, content));
  }
  await goOnDuty(under, job, lead, ...crew);
  for (const [at, unit] of units.entries()) await join(under, crew[at]!, unit);
  return { job, lead, crew, units };
}

export async function callOf(under: AppUnderTest, { lead, job }: Pick<Team, "lead" | "job">, sent: Partial<NewCall> = {}) {
  return await mustCall(under, lead, { jobs: [job], ...sent });
}

/** Asks or assigns this unit; the assignment as the dispatcher sees it. */
export async function offered(under: AppUnderTest, of: Team, call: Pick<CallDetail, "id">, unit = of.units[0]!, assign = false) {
  const body = { unitIds: [unit.id], assign };
  const answer = await under.app.call(offerUnits, { params: { id: call.id }, body }, as(of.lead));
  if (answer.status !== 200) throw new Error(`the offer was refused: ${answer.status} ${answer.text}`);
  return answer.output.units.find((one) => one.unit.id === unit.id)!;
}

const turns = { left: "enRoute", right: "onScene" } as const;

function edit(
  operation: VersionedOperation["operation"],
  by: "member" | "lead",
  isWorking: boolean,
  body: (turn: "left" | "right") => object,
): VersionedOperation {
  return {
    operation,
    async prepare(under) {
      const of = await team(under);
      const call = await callOf(under, of);
      const { id, version } = await offered(under, of, call, of.units[0], isWorking);
      const who = by === "lead" ? of.lead : of.crew[0]!;
      return { as: as(who), version, change: (turn) => ({ params: { id }, body: body(turn) }) };
    },
  };
}

export const versioned: readonly VersionedOperation[] = [
  edit(answerOffer, "member", false, () => ({ accept: true })),
  edit(withdrawOffer, "lead", false, () => ({})),
  edit(setProgress, "member", true, (turn) => ({ state: turns[turn] })),
  edit(handBack, "member", true, (reason) => ({ reason })),
  {
    operation: finishWork,
    // The last unit would complete the call, and the second answer would be about that.
    async prepare(under) {
      const of = await team(under);
      await under.app.call(putWorkRules, { body: { ...usualRules, completes: false } }, as(of.lead));
      const { id, version } = await offered(under, of, await callOf(under, of), of.units[0], true);
      return { as: as(of.crew[0]!), version, change: () => ({ params: { id }, body: {} }) };
    },
  },
  {
    operation: putWorkRules,
    async prepare(under) {
      const { lead } = await team(under, 0);
      const change = (turn: "left" | "right") => ({ body: { mode: turn === "left" ? "central" : "manual", completes: true } });
      return { as: as(lead), version: 0, change };
    },
  },
];
