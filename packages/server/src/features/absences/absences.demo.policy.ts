import { addDays } from "#core/zone.ts";
import { type DemoGrant, demoGrant } from "#core/demo.ts";
import type { CharacterWithJobs } from "#features/citizens/citizens.reads.ts";
import type { KindContent } from "./absences.base.contract.ts";
import type { Span } from "./absences.policy.ts";

/** Members see who is absent; leaders decide about lower grades, chiefs see everything and set the kinds. */
function grantsOf(job: string, leader: number, chief: number): DemoGrant[] {
  return [
    demoGrant(job, 0, "absences.list"),
    demoGrant(job, leader, "absences.approve"),
    { ...demoGrant(job, leader, "absences.enter"), attributes: { whose: ["lower"] } },
    { ...demoGrant(job, chief, "absences.view"), attributes: { whose: ["any"] } },
    demoGrant(job, chief, "absences.kinds"),
    demoGrant(job, chief, "absences.export"),
  ];
}

export const absencesDemoGrants: readonly DemoGrant[] = [...grantsOf("police", 3, 6), ...grantsOf("ambulance", 3, 4)];

/** The job of which the demo city has kinds and absences. */
export const demoJob = "police";

const usual = { daysBack: 7, daysAhead: 93, mostDays: 31 } as const;

export const demoKinds: readonly KindContent[] = [
  { name: "Short notice", colour: "#475569", icon: "tabler:clock", needsApproval: false, ...usual, mostDays: 7 },
  { name: "Holiday", colour: "#0f766e", icon: "tabler:beach", needsApproval: true, ...usual },
];

export interface DemoAbsence {
  readonly id: number;
  readonly span: Span;
  /** Place in `demoKinds`. */
  readonly kind: number;
  readonly state: "requested" | "approved" | "declined";
  readonly reason: string | null;
  readonly substituteId: number | null;
}

interface Plan {
  /** Places among the members: those of the logins come first. */
  readonly who: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly kind: number;
  readonly state: DemoAbsence["state"];
  readonly reason: string | null;
}

const plans: readonly Plan[] = [
  { who: [0, 1, 2, 5], from: -40, to: -36, kind: 1, state: "approved", reason: "Trip to the coast" },
  { who: [1, 3, 6], from: 12, to: 18, kind: 1, state: "approved", reason: "Visiting family" },
  { who: [7, 8, 9, 12], from: -2, to: 3, kind: 0, state: "approved", reason: null },
  { who: [10, 11], from: 6, to: 9, kind: 1, state: "requested", reason: "Moving house" },
  { who: [13], from: 20, to: 40, kind: 1, state: "requested", reason: "Long journey, by train" },
  { who: [3, 14], from: 4, to: 7, kind: 1, state: "declined", reason: "Concert" },
];

/** Past, running, coming, waiting and declined absences of these people. */
export function demoAbsences(people: readonly CharacterWithJobs[], today: string): DemoAbsence[] {
  const members = people.filter(({ jobs: [first] }) => first?.job === demoJob);
  return plans.flatMap(({ who, from, to, ...plan }) =>
    who.flatMap((place) => {
      const member = members[place];
      if (member === undefined) return [];
      const substituteId = place % 2 === 1 ? (members[place + 1]?.id ?? null) : null;
      return [{ ...plan, id: member.id, span: { firstDay: addDays(today, from), lastDay: addDays(today, to) }, substituteId }];
    }),
  );
}
