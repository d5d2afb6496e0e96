import type { PermissionDefinition } from "#core/contract/index.ts";
import { type DemoGrant, demoGrant } from "#core/demo.ts";

export interface DemoJob {
  readonly name: string;
  readonly label: string;
  /** In ascending order. */
  readonly grades: readonly string[];
  /** Share of a thousand citizens. */
  readonly weight: number;
}

export const demoJobs: readonly DemoJob[] = [
  {
    name: "police",
    label: "Police Department",
    grades: ["Cadet", "Officer", "Senior Officer", "Sergeant", "Lieutenant", "Captain", "Chief"],
    weight: 60,
  },
  {
    name: "ambulance",
    label: "Medical Service",
    grades: ["Trainee", "Paramedic", "Doctor", "Senior Doctor", "Chief Physician"],
    weight: 40,
  },
  {
    name: "justice",
    label: "Department of Justice",
    grades: ["Clerk", "Lawyer", "Prosecutor", "Judge", "Chief Justice"],
    weight: 14,
  },
  {
    name: "mechanic",
    label: "Harbour Garage",
    grades: ["Apprentice", "Mechanic", "Foreman", "Owner"],
    weight: 45,
  },
  {
    name: "taxi",
    label: "City Cab",
    grades: ["Driver", "Dispatcher", "Manager"],
    weight: 40,
  },
  {
    name: "press",
    label: "Daily Harbour",
    grades: ["Trainee", "Reporter", "Editor", "Publisher"],
    weight: 12,
  },
  {
    name: "family",
    label: "Marchetti Family",
    grades: ["Associate", "Soldier", "Lieutenant", "Boss"],
    weight: 35,
  },
  { name: "unemployed", label: "Unemployed", grades: ["Jobseeker"], weight: 754 },
];

export const demoLicences = [
  { type: "drive", label: "Driving licence" },
  { type: "drive_bike", label: "Motorcycle licence" },
  { type: "drive_truck", label: "Lorry licence" },
  { type: "weapon", label: "Weapon licence" },
  { type: "hunting", label: "Hunting licence" },
  { type: "boat", label: "Boat licence" },
  { type: "pilot", label: "Pilot licence" },
  { type: "business", label: "Business licence" },
] as const;

/** A login of the demo city. Its first character holds this job; `rank` counts from the job's lowest grade. */
export interface DemoRole {
  readonly username: string;
  readonly job: string;
  readonly rank: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly sex: "f" | "m";
  readonly groups: readonly string[];
  /** Number of characters in addition to the first. */
  readonly moreCharacters: number;
}

const role = (
  username: string,
  job: string,
  rank: number,
  name: string,
  sex: "f" | "m",
  moreCharacters = 0,
  groups: readonly string[] = [],
): DemoRole => {
  const [firstName = "", ...rest] = name.split(" ");
  return { username, job, rank, firstName, lastName: rest.join(" "), sex, groups, moreCharacters };
};

/** One login per role: the head and a member of every job, a citizen without work, and the staff. */
export const demoRoles: readonly DemoRole[] = [
  role("police.chief", "police", 6, "Katharina Lindqvist", "f", 1),
  role("police.officer", "police", 1, "Mateo Hernández", "m"),
  role("medic.chief", "ambulance", 4, "Ngozi Adeyemi", "f"),
  role("medic", "ambulance", 1, "Björn Sørensen", "m", 1),
  role("judge", "justice", 4, "Eleanor Whitaker", "f"),
  role("lawyer", "justice", 1, "Rashid El-Amin", "m"),
  role("mechanic.boss", "mechanic", 3, "Władysław Kowalski", "m"),
  role("mechanic", "mechanic", 1, "Jo Park-Hayes", "f"),
  role("taxi.boss", "taxi", 2, "Zeynep Öztürk", "f"),
  role("taxi", "taxi", 0, "Hank Calloway", "m", 2),
  role("editor", "press", 3, "Anne-Marie Lefèvre", "f"),
  role("reporter", "press", 1, "Xu Wu", "m"),
  role("family.boss", "family", 3, "Salvatore Marchetti", "m"),
  role("family.member", "family", 1, "Gia Esposito", "f"),
  role("citizen", "unemployed", 0, "Mara Lind", "f", 2),
  role("admin", "unemployed", 0, "Robin Sterling", "m", 1, ["admin"]),
];

/**
 * What each job may see. The default role grants nothing: people without a service see only themselves.
 * Of the given permissions, those that no feature grants go to the chief of police.
 */
export function demoGrants(permissions: readonly PermissionDefinition[], granted: readonly DemoGrant[]): readonly DemoGrant[] {
  const named = new Set(granted.map(({ permission }) => permission));
  const others = permissions.filter(({ id }) => !named.has(id));
  return [
    ...granted,
    ...others.map(({ id, attributes }) => ({
      ...demoGrant("police", 6, id),
      attributes: Object.fromEntries(
        Object.entries(attributes).flatMap(([name, one]) => (one.type === "strings" ? [[name, one.values]] : [])),
      ),
    })),
  ];
}
