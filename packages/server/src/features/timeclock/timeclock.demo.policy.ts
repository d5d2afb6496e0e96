import { type DemoGrant, demoGrant } from "#core/demo.ts";
import { addDays, type Zone } from "#core/zone.ts";
import type { CharacterWithJobs } from "#features/citizens/citizens.reads.ts";
import type { EndedPeriod } from "#features/duty/duty.reads.ts";

/** Leaders see and decide about lower grades, chiefs see everybody. */
function grantsOf(job: string, leader: number, chief: number): DemoGrant[] {
  return [
    { ...demoGrant(job, leader, "timeclock.view"), attributes: { whose: ["own", "lower"] } },
    demoGrant(job, leader, "timeclock.approve"),
    { ...demoGrant(job, chief, "timeclock.view"), attributes: { whose: ["own", "lower", "same", "any"] } },
    demoGrant(job, chief, "timeclock.export"),
    demoGrant(job, chief, "timeclock.targets"),
    demoGrant(job, chief, "timeclock.close"),
  ];
}

export const timeclockDemoGrants: readonly DemoGrant[] = [...grantsOf("police", 3, 6), ...grantsOf("ambulance", 3, 4)];

/** No duty gets such an id. */
const firstDemoDuty = 1_000_000_000_000;

/** The job of which the demo city has hours. */
export const demoJob = "police";

/** Half a year. */
const demoDays = 182;
const demoPeople = 14;
const hour = 3_600_000;
/** When the shifts of three people begin. */
const begins = ["07:30", "13:45", "20:15"] as const;
/** Nobody of them is on duty with a shift that is counted already. */
const endedBefore = 2 * hour;

/** Shifts of the last half year: a third of them nights, some with an estimated end, and one that was reported late. */
export function demoShifts(
  people: readonly CharacterWithJobs[],
  zone: Pick<Zone, "dayOf" | "instantsOf">,
  now: number,
): EndedPeriod[] {
  const members = people.filter(({ jobs: [first] }) => first?.job === demoJob).slice(0, demoPeople);
  const today = zone.dayOf(now);
  const shifts = members.flatMap(({ id, jobs: [first] }, place) =>
    Array.from({ length: demoDays }, (_none, i) => {
      const ago = demoDays - i;
      const day = addDays(today, -ago);
      const night = place % 3 === 2;
      // Nights of Saturdays are never free, that of the change in October among them.
      const isFree = (ago * 3 + place * 2) % 5 < 2 && !(night && new Date(day).getUTCDay() === 6);
      const from = zone.instantsOf(`${day}T${begins[place % 3]!}`)[0] ?? 0;
      const to = from + (4 + ((ago + place) % 4)) * hour + ((ago * 7 + place * 13) % 60) * 60_000;
      return { id, grade: first?.grade ?? 0, ago, place, from, to, isFree };
    }).filter(({ to, isFree }) => !isFree && to < now - endedBefore),
  );
  return shifts.map(({ id, grade, ago, place, from, to }, i) => {
    const estimated = (ago + place) % 9 === 0;
    return {
      id: firstDemoDuty + i,
      citizen_id: id,
      job: demoJob,
      grade,
      from_at: from,
      to_at: to,
      started_by: "game",
      ending: estimated ? "silence" : "off",
      estimated: estimated ? 1 : 0,
      source: null,
      proposed: place === 4 && ago <= 3 ? 1 : 0,
    };
  });
}
