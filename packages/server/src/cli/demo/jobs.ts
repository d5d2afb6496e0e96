import type { AttributeValue, PermissionDefinition } from "#core/contract/index.ts";

export interface DemoJob {
  readonly name: string;
  readonly label: string;
  /** In ascending order. */
  readonly grades: readonly string[];
  /** Share of a thousand citizens. */
  readonly weight: number;
  readonly companyVehicles: number;
}

export const demoJobs: readonly DemoJob[] = [
  {
    name: "police",
    label: "Police Department",
    grades: ["Cadet", "Officer", "Senior Officer", "Sergeant", "Lieutenant", "Captain", "Chief"],
    weight: 60,
    companyVehicles: 70,
  },
  {
    name: "ambulance",
    label: "Medical Service",
    grades: ["Trainee", "Paramedic", "Doctor", "Senior Doctor", "Chief Physician"],
    weight: 40,
    companyVehicles: 28,
  },
  {
    name: "justice",
    label: "Department of Justice",
    grades: ["Clerk", "Lawyer", "Prosecutor", "Judge", "Chief Justice"],
    weight: 14,
    companyVehicles: 6,
  },
  {
    name: "mechanic",
    label: "Harbour Garage",
    grades: ["Apprentice", "Mechanic", "Foreman", "Owner"],
    weight: 45,
    companyVehicles: 22,
  },
  {
    name: "taxi",
    label: "City Cab",
    grades: ["Driver", "Dispatcher", "Manager"],
    weight: 40,
    companyVehicles: 40,
  },
  {
    name: "press",
    label: "Daily Harbour",
    grades: ["Trainee", "Reporter", "Editor", "Publisher"],
    weight: 12,
    companyVehicles: 8,
  },
  {
    name: "family",
    label: "Marchetti Family",
    grades: ["Associate", "Soldier", "Lieutenant", "Boss"],
    weight: 35,
    companyVehicles: 0,
  },
  { name: "unemployed", label: "Unemployed", grades: ["Jobseeker"], weight: 754, companyVehicles: 0 },
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

export interface DemoGrant {
  readonly job: string;
  /** Counts from the job's lowest grade. */
  readonly rank: number;
  readonly permission: string;
  readonly allow: boolean;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

const allow = (job: string, rank: number, permission: string, fields: readonly string[] | null = null): DemoGrant => ({
  job,
  rank,
  permission,
  allow: true,
  attributes: fields === null ? {} : { fields },
});

const namedGrants: readonly DemoGrant[] = [
  allow("police", 0, "citizens.list", ["job", "phone", "licences"]),
  allow("police", 0, "citizens.view"),
  allow("police", 0, "vehicles.list", ["owner"]),
  allow("police", 5, "citizens.list", ["job", "phone", "licences", "visum", "playtime"]),
  allow("police", 5, "access.viewRoles"),
  allow("police", 6, "access.editRoles"),
  allow("police", 5, "audit.view"),
  allow("ambulance", 0, "citizens.list", ["phone"]),
  allow("ambulance", 0, "citizens.view"),
  allow("ambulance", 3, "citizens.list", ["phone", "job"]),
  allow("ambulance", 4, "access.editRoles"),
  allow("justice", 0, "citizens.list", ["job", "licences"]),
  allow("justice", 0, "citizens.view"),
  allow("justice", 3, "citizens.list", ["job", "phone", "licences", "visum"]),
  allow("justice", 3, "vehicles.list", ["owner"]),
  allow("mechanic", 0, "vehicles.list", []),
  allow("mechanic", 2, "vehicles.list", ["owner"]),
  allow("taxi", 0, "citizens.list", ["phone"]),
  allow("press", 1, "citizens.list", ["job"]),
  allow("police", 5, "jobs.properties"),
  allow("police", 5, "jobs.message"),
  allow("ambulance", 4, "jobs.properties"),
  allow("ambulance", 3, "jobs.message"),
  allow("police", 5, "notices.create"),
  allow("police", 6, "notices.create", ["public"]),
  allow("ambulance", 3, "notices.create"),
  allow("justice", 3, "notices.create", ["public"]),
  allow("mechanic", 2, "notices.create"),
  allow("taxi", 2, "notices.create"),
  allow("press", 3, "notices.create", ["public"]),
  allow("family", 3, "notices.create"),
];

/**
 * What each job may see. The default role grants nothing: people without a service see only themselves.
 * Of the given permissions, those that are not named above go to the chief of police.
 */
export function demoGrants(permissions: readonly PermissionDefinition[]): readonly DemoGrant[] {
  const named = new Set(namedGrants.map(({ permission }) => permission));
  const others = permissions.filter(({ id }) => !named.has(id));
  return [
    ...namedGrants,
    ...others.map(({ id, attributes }) => ({
      ...allow("police", 6, id),
      attributes: Object.fromEntries(
        Object.entries(attributes).flatMap(([name, one]) => (one.type === "strings" ? [[name, one.values]] : [])),
      ),
    })),
  ];
}
