import { type DemoGrant, demoGrant } from "#core/demo.ts";
import { addDays } from "#core/zone.ts";
import type { CharacterWithJobs } from "#features/citizens/citizens.reads.ts";
import type { KindContent } from "./conduct.base.contract.ts";

/** Leaders write about lower grades; chiefs see everything and set the kinds. */
function grantsOf(job: string, leader: number, chief: number): DemoGrant[] {
  return [
    demoGrant(job, leader, "conduct.view"),
    demoGrant(job, leader, "conduct.write"),
    demoGrant(job, chief, "conduct.view", ["all"]),
    demoGrant(job, chief, "conduct.write", ["all"]),
    demoGrant(job, chief, "conduct.kinds"),
    demoGrant(job, chief, "conduct.export"),
  ];
}

export const conductDemoGrants: readonly DemoGrant[] = [...grantsOf("police", 3, 6), ...grantsOf("ambulance", 3, 4)];

/** The jobs of which the demo city has kinds and entries. */
export const demoJobs = ["police", "ambulance"] as const;

export const demoKinds: readonly KindContent[] = [
  { name: "Commendation", colour: "#0f766e", tone: "positive", points: 2, expiresAfter: null, acknowledge: false },
  { name: "Verbal warning", colour: "#b45309", tone: "negative", points: 1, expiresAfter: 30, acknowledge: false },
  { name: "Written warning", colour: "#c2410c", tone: "negative", points: 3, expiresAfter: 90, acknowledge: true },
  { name: "Suspension", colour: "#b91c1c", tone: "negative", points: 8, expiresAfter: 180, acknowledge: true },
];

export interface DemoEntry {
  readonly citizenId: number;
  readonly grade: number;
  readonly authorId: number;
  /** Place in `demoKinds`. */
  readonly kind: number;
  readonly text: string;
  /** Days ago. */
  readonly written: number;
  readonly expiresOn: string | null;
  readonly becomes: "draft" | "released" | "withdrawn";
  readonly acknowledged: boolean;
  readonly reply: string | null;
}

interface Plan extends Pick<DemoEntry, "kind" | "text" | "written"> {
  /** Place among those of lower grades than the author: those of the logins come first. */
  readonly who: number;
  readonly becomes?: DemoEntry["becomes"];
  readonly acknowledged?: true;
  readonly reply?: string;
}

const plans: readonly Plan[] = [
  { who: 1, kind: 1, written: 70, text: "Was late for three shifts in a row." },
  { who: 2, kind: 0, written: 61, text: "Kept calm when the clinic was evacuated, and got everybody out." },
  {
    who: 3,
    kind: 2,
    written: 52,
    text: "Drove with the siren on to get lunch.",
    acknowledged: true,
    reply: "It will not happen again.",
  },
  {
    who: 4,
    kind: 3,
    written: 44,
    text: "Left the scene before it was handed over.\nThe witnesses were gone by then.",
    acknowledged: true,
  },
  { who: 5, kind: 1, written: 33, text: "Swore on the radio.", becomes: "withdrawn" },
  { who: 0, kind: 0, written: 26, text: "Trained two recruits in their free time." },
  { who: 6, kind: 1, written: 17, text: "Came on duty without a radio." },
  { who: 3, kind: 1, written: 12, text: "Parked across both lanes." },
  { who: 7, kind: 0, written: 9, text: "Found the missing child within an hour." },
  { who: 0, kind: 2, written: 2, text: "Left the car unlocked, with the equipment in it." },
  { who: 8, kind: 2, written: 1, text: "Did not answer two calls of the dispatch centre." },
  { who: 9, kind: 1, written: 0, text: "Report of the night shift is missing.", becomes: "draft" },
];

/** Entries of these people in a job, by the one of the highest grade; none where nobody has a lower grade. */
export function demoEntries(people: readonly CharacterWithJobs[], job: string, today: string): DemoEntry[] {
  const members = people.flatMap(({ id, jobs: [first] }) => (first?.job === job ? [{ id, grade: first.grade }] : []));
  const author = members.toSorted((a, b) => b.grade - a.grade)[0];
  if (author === undefined) return [];
  const lower = members.filter(({ grade }) => grade < author.grade);
  return plans.flatMap(({ who, kind, text, written, becomes = "released", acknowledged = false, reply = null }) => {
    const subject = lower[who];
    const { expiresAfter } = demoKinds[kind]!;
    if (subject === undefined) return [];
    const expiresOn = expiresAfter === null ? null : addDays(today, expiresAfter - written);
    const about = { citizenId: subject.id, grade: subject.grade, authorId: author.id };
    return [{ ...about, kind, text, written, expiresOn, becomes, acknowledged, reply }];
  });
}
