// Generated from the contracts in features/ by npm run generate. Do not edit.

/** Kinds of files, each with what its owner is. */
export const fileKinds = [
  { kind: "citizens.avatar", owner: "the ID of the citizen" },
  { kind: "conduct.attachment", owner: "the ID of the conduct entry" },
  { kind: "jobs.logo", owner: "the name of the job" },
  { kind: "notices.attachment", owner: "the ID of the notice" },
] as const;
