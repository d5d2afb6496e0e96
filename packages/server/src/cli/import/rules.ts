/** A key of a FiveNet configuration that has another path in Rollcall. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/** By dotted path, in lower case; a rule for a section moves everything below it. */
export const renamed: readonly Renamed[] = [
  { from: "discord.commands.fivenet", to: "chat.commands.service" },
  { from: "discord", to: "chat" },
  { from: "storage.s3", to: "storage.objectstore" },
  { from: "auth.superusergroups", to: "auth.configAdminGroups" },
  { from: "auth.superuserusers", to: "auth.configAdminUsers" },
];

/** Why a key has no corresponding option. */
export const unsupported: Readonly<Record<string, string>> = {
  demo: "a demo city is loaded with rollcall demo load, never from the configuration",
  "http.links": "it had no effect; links of the site are an application setting",
  "nats.nkey": "the broker is reached with user and password or a token in nats.url",
  "nats.creds": "the broker is reached with user and password or a token in nats.url",
  "nats.publishasyncmaxpending": "publishing waits for the broker automatically",
  "auth.permscachesize": "rights are kept in memory without a limit to set",
  "auth.permscachettl": "changes of rights apply at once",
  "database.esxcompat": "game data is received through the Sync API only",
};

/** Parts of the database address, which the DSN contains in Rollcall. */
export const dsnParts = ["net", "host", "port", "username", "password", "database", "collation"] as const;

/** Values with another spelling, by the path of Rollcall's option; the former text is in lower case. */
export const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "storage.type": { s3: "objectstore" },
  mode: { test: "release" },
};

/** Values without an equivalent: the key is dropped. */
export const refusedValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "storage.type": { noop: "uploads are always stored; set storage.type to filesystem or objectstore" },
};

/** Options whose value is a duration: a number without a unit was nanoseconds. */
export const durations: ReadonlySet<string> = new Set([
  "log.file.rotation.rotationInterval",
  "database.connMaxIdleTime",
  "database.connMaxLifetime",
  "storage.metricsInterval",
  "imageProxy.options.minimumCacheDuration",
  "updateCheck.interval",
  "otlp.timeout",
]);
