import { type DemoGrant, demoGrant } from "#core/demo.ts";
import { type TypeContent } from "./calls.base.contract.ts";
import { exampleTypeContent } from "./calls.examples.contract.ts";

/** Members see the calls of their job, and from a rank on dispatch them. */
function grantsOf(job: string, dispatcher: number, chief: number): DemoGrant[] {
  return [
    demoGrant(job, 0, "calls.view"),
    demoGrant(job, dispatcher, "calls.dispatch"),
    demoGrant(job, chief, "calls.setup"),
    demoGrant(job, chief, "calls.export"),
  ];
}

/** Who has no job calls for help too. */
const everybody = ["police", "ambulance", "justice", "mechanic", "taxi", "press", "family", "unemployed"] as const;

export const callsDemoGrants: readonly DemoGrant[] = [
  ...everybody.map((job) => demoGrant(job, 0, "calls.create")),
  ...grantsOf("police", 2, 6),
  ...grantsOf("ambulance", 2, 4),
];

const none = { message: null, jobs: [], checklist: [], questions: [] };

/** Incident types by job. */
export const demoTypes: Readonly<Record<string, readonly TypeContent[]>> = {
  police: [
    exampleTypeContent,
    {
      ...none,
      code: "10-50",
      name: "Traffic accident",
      priority: 2,
      colour: "#b45309",
      icon: "tabler:car-crash",
      jobs: ["police", "ambulance"],
      checklist: ["Injured people counted", "Road closed", "Tow truck called"],
      questions: ["Is anybody injured?", "Does a vehicle burn?"],
    },
    { ...none, code: "10-16", name: "Disturbance", priority: 3, colour: "#1d4ed8", icon: "tabler:speakerphone" },
    { ...none, code: "10-87", name: "Parking offence", priority: 5, colour: "#475569", icon: "tabler:parking" },
  ],
  ambulance: [
    {
      ...none,
      code: "MED",
      name: "Medical emergency",
      priority: 1,
      colour: "#be123c",
      icon: "tabler:heartbeat",
      checklist: ["Breathing", "Bleeding"],
      questions: ["Is the person awake?"],
    },
  ],
};

export interface DemoCall {
  /** Code of a type of the first job. */
  readonly code: string;
  readonly jobs: readonly string[];
  readonly message: string;
  readonly anonymous: boolean;
  readonly notes: readonly string[];
  /** What others say who report the same; one without a name, the second. */
  readonly reports?: readonly string[];
  readonly end: { readonly state: "completed" | "cancelled"; readonly text: string } | null;
}

const quiet = { anonymous: false, notes: [], end: null } as const;

/** A quiet night, the oldest call first, and then a robbery that five people report. */
export const demoCalls: readonly DemoCall[] = [
  {
    ...quiet,
    code: "10-16",
    jobs: ["police"],
    message: "Loud music since midnight, the neighbours do not open",
    end: { state: "completed", text: "Spoken to, music off" },
  },
  {
    ...quiet,
    code: "10-87",
    jobs: ["police"],
    message: "Van across two bays in front of the clinic",
    end: { state: "cancelled", text: "The van has left" },
  },
  {
    ...quiet,
    code: "10-50",
    jobs: ["police", "ambulance"],
    message: "Two cars at the crossing, one driver holds his neck",
    notes: ["The road is closed northbound"],
  },
  { ...quiet, code: "10-16", jobs: ["police"], message: "Somebody shouts in the backyard", anonymous: true },
  { ...quiet, code: "MED", jobs: ["ambulance"], message: "Man fell down the stairs, awake" },
  { ...quiet, code: "10-87", jobs: ["police"], message: "Motorcycle on the pavement" },
  {
    ...quiet,
    code: "10-31",
    jobs: ["police"],
    message: "They rob the shop at the corner",
    reports: [
      "Two masked men ran into the shop",
      "There is a car outside with the engine running",
      "The alarm of the shop is on",
      "Someone fired a shot",
    ],
  },
];

/** A script of the game server that reports the same again and again. */
export const demoStorm = {
  source: "city",
  jobs: ["police"],
  message: "Burglar alarm",
  priority: 4,
  alerts: 212,
  places: 9,
} as const;
