import { type DemoGrant, demoGrant } from "#core/demo.ts";
import type { CharacterWithJobs } from "#features/citizens/citizens.reads.ts";
import { activityKinds, changedFields, colleagueFields, type LabelContent } from "./colleagues.base.contract.ts";

const ranked = (job: string, rank: number, permission: string, fields: readonly string[], whose: string): DemoGrant => ({
  ...demoGrant(job, rank, permission),
  attributes: { fields, whose: [whose] },
});

/** Members see each other with their labels; leaders write about lower grades, chiefs about everybody. */
function grantsOf(job: string, leader: number, chief: number): DemoGrant[] {
  return [
    demoGrant(job, 0, "colleagues.list"),
    ranked(job, 0, "colleagues.view", ["labels"], "any"),
    ranked(job, leader, "colleagues.view", colleagueFields, "same"),
    ranked(job, chief, "colleagues.view", colleagueFields, "any"),
    ranked(job, leader, "colleagues.edit", ["note", "labels"], "lower"),
    ranked(job, chief, "colleagues.edit", changedFields, "any"),
    demoGrant(job, leader, "colleagues.labels"),
    { ...demoGrant(job, chief, "colleagues.promote"), attributes: { whose: ["any"] } },
    { ...demoGrant(job, chief, "colleagues.dismiss"), attributes: { whose: ["any"] } },
    demoGrant(job, chief, "colleagues.hire"),
    demoGrant(job, leader, "colleagues.statistics"),
    demoGrant(job, chief, "colleagues.export"),
    {
      ...demoGrant(job, leader, "colleagues.activity"),
      attributes: {
        kinds: ["hired", "promoted", "demoted", "left", "labelGiven", "labelTaken", "absence", "remark"],
        whose: ["same"],
      },
    },
    { ...demoGrant(job, chief, "colleagues.activity"), attributes: { kinds: activityKinds, whose: ["any"] } },
  ];
}

export const colleaguesDemoGrants: readonly DemoGrant[] = [...grantsOf("police", 3, 6), ...grantsOf("ambulance", 3, 4)];

export const demoLabels: Readonly<Record<string, readonly LabelContent[]>> = {
  police: [
    { name: "Field training", colour: "#2563eb", icon: "tabler:school" },
    { name: "Trainer", colour: "#7c3aed", icon: "tabler:certificate" },
    { name: "Traffic unit", colour: "#0f766e", icon: "tabler:car" },
    { name: "Air support", colour: "#b45309", icon: "tabler:helicopter" },
    { name: "SWAT", colour: "#334155", icon: "tabler:shield" },
  ],
  ambulance: [
    { name: "Field training", colour: "#2563eb", icon: "tabler:school" },
    { name: "Emergency doctor", colour: "#be123c", icon: "tabler:stethoscope" },
  ],
};

/** A group of the police in which those with a label are. */
export const demoLabelGroup = {
  job: "police",
  label: "SWAT",
  name: "SWAT",
  short: "SWAT",
  colour: "#334155",
  icon: "tabler:shield",
  description: "Special weapons and tactics: everybody with the label of the same name.",
  membership: "rule",
} as const;

const notes = [
  "Trains new members on Thursdays.",
  "Asked for late shifts until the end of the month.",
  "Returned the second radio; the receipt is in the office.",
];

export interface DemoColleague {
  readonly id: number;
  readonly job: string;
  readonly grade: number;
  /** Places of its labels in `demoLabels`; the first one of some ends in so many days. */
  readonly labels: readonly { readonly place: number; readonly days: number | null }[];
  readonly note: string | null;
}

/** Somebody came into a job so many days ago, and perhaps left it again. */
export interface DemoCareer {
  readonly id: number;
  readonly job: string;
  readonly grade: number;
  readonly hiredDays: number;
  readonly leftDays: number | null;
}

/** Most careers of one job. */
const careers = 30;

/** A year of hires, and of people who are elsewhere now and stayed for some weeks or months. */
export function demoCareers(people: readonly CharacterWithJobs[]): DemoCareer[] {
  return Object.keys(demoLabels).flatMap((job) => {
    const isThere = ({ jobs }: CharacterWithJobs) => jobs.some((one) => one.job === job);
    const members = people.filter(isThere).slice(0, careers);
    const others = people.filter((one) => !isThere(one)).slice(0, careers / 2);
    return [
      ...members.map((one, at): DemoCareer => {
        const grade = one.jobs.find((held) => held.job === job)?.grade ?? 0;
        return { id: one.id, job, grade, hiredDays: 10 + at * 11, leftDays: null };
      }),
      ...others.map(({ id }, at): DemoCareer => {
        const hiredDays = 330 - at * 20;
        const stayed = 20 + ((at * 37) % 120);
        return { id, job, grade: 0, hiredDays, leftDays: Math.max(1, hiredDays - stayed) };
      }),
    ];
  });
}

/** Who of these people has which labels and notes, in the first of their jobs. */
export function demoColleagues(people: readonly CharacterWithJobs[]): DemoColleague[] {
  return Object.entries(demoLabels).flatMap(([job, labels]) => {
    const members = people.filter(({ jobs: [first] }) => first?.job === job);
    return members.slice(0, 40).map(({ id, jobs: [first] }, at): DemoColleague => ({
      id,
      job,
      grade: first?.grade ?? 0,
      labels: labels.flatMap((_label, place) =>
        (at + place) % (place + 2) === 0 ? [{ place, days: place === 0 ? 2 + at : null }] : [],
      ),
      note: at % 5 === 0 ? (notes[(at / 5) % notes.length] ?? null) : null,
    }));
  });
}
