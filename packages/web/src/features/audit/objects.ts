// Generated from the contracts in server/src/features/ by npm run generate. Do not edit.

/** The feature of each kind of object in the audit log that has no feature in its name. */
export const featureOfKind: Readonly<Record<string, string>> = {
  account: "accounts",
  citizen: "citizens",
  citizens: "citizens",
  file: "files",
  job: "jobs",
  jobs: "jobs",
  licences: "licences",
  limits: "access",
  notice: "notices",
  provider: "oauth",
  role: "access",
  scheduledJob: "scheduler",
  session: "auth",
  settings: "settings",
  source: "sync",
  vehicle: "vehicles",
  vehicles: "vehicles",
};
