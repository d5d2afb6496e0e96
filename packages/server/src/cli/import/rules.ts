/** What becomes of a key of a FiveNet configuration whose name or place is another one here. */
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

/** Why a key has nothing here that it could set. */
export const unsupported: Readonly<Record<string, string>> = {
  demo: "a demo city is loaded with rollcall demo load, never from the configuration",
  "http.links": "it had no effect; links of the site are an application setting",
  "nats.nkey": "the broker is reached with user and password or a token in nats.url",
  "nats.creds": "the broker is reached with user and password or a token in nats.url",
  "nats.publishasyncmaxpending": "publishing waits for the broker by itself",
  "auth.permscachesize": "rights are kept in memory without a limit to set",
  "auth.permscachettl": "a change of rights is heard at once",
  "database.esxcompat": "game data comes in through the Sync API alone",
};

/** Parts of an address that the DSN holds here. */
export const dsnParts = ["net", "host", "port", "username", "password", "database", "collation"] as const;

/** Values that are spelt otherwise here, by the path of our option; the text before is in lower case. */
export const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "storage.type": { s3: "objectstore" },
  mode: { test: "release" },
};

/** Values that nothing stands for here: the key is left out. */
export const refusedValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "storage.type": { noop: "uploads always go somewhere; set storage.type to filesystem or objectstore" },
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
