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
  loglevels: "levels of single parts are written in log.levelOverrides, by the names of the parts of Rollcall",
  "imageproxy.enabled": "pictures in texts are always fetched by the server, from the hosts of imageProxy.options.allowHosts",
  "imageproxy.url": "pictures in texts are fetched under the address of Rollcall",
  "imageproxy.cacheprefix": "fetched pictures have a place of their own in the storage",
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

/** An option whose value is kept and does something else here. */
export interface Difference {
  readonly path: string;
  /** Whether this value does; undefined is an option that is not set. */
  readonly concerns: (value: unknown) => boolean;
  readonly note: string;
}

const isEmptyList = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

export const differences: readonly Difference[] = [
  {
    path: "imageProxy.options.allowHosts",
    concerns: isEmptyList,
    note: "without hosts, pictures of every host were fetched there, and none are here: list the hosts that people use",
  },
  {
    path: "log.logToFile",
    concerns: (value) => value === true,
    note: "the file was written beside the terminal's output there, and in its place here",
  },
  {
    path: "sync.enabled",
    concerns: (value) => value === false,
    note: "it was only displayed there, and switches the Sync API off here, so that no game data comes in",
  },
  {
    path: "updateCheck.enabled",
    concerns: (value) => value === true,
    note: "the releases of the other project were looked up there; here updateCheck.feedURL names the feed, and nothing is looked up without it",
  },
  {
    path: "game.cleanupRolesForMissingJobs",
    concerns: (value) => value === true,
    note: "it removed roles of the application there, and means roles on the chat platform here",
  },
];
