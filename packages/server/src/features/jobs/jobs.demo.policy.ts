import { type DemoGrant, demoGrant } from "#core/demo.ts";

export const jobsDemoGrants: readonly DemoGrant[] = [
  demoGrant("police", 5, "jobs.properties"),
  demoGrant("police", 5, "jobs.message"),
  demoGrant("ambulance", 4, "jobs.properties"),
  demoGrant("ambulance", 3, "jobs.message"),
];

/** What some jobs have on their overview. */
export const demoProperties = [
  {
    job: "police",
    radioFrequency: "100.1",
    message: "Briefing at 20:00 in the roll-call room. The radar on the coast road is out of order: please write speeds by hand.",
    by: "Office of the Chief",
    links: [
      { title: "Handbook", address: "https://handbook.example.org/police" },
      { title: "Training videos", address: "https://videos.example.org/academy" },
    ],
  },
  {
    job: "ambulance",
    radioFrequency: "102.5",
    message: "New stretchers are in garage 2. First aid course on Saturday at 18:00.",
    by: "Head of the ward",
    links: [{ title: "Medication list", address: "https://handbook.example.org/medics" }],
  },
] as const;
