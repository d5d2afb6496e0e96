import { Type, type Static } from "typebox";
import {
  access,
  changedParts,
  defineErrors,
  defineEvent,
  defineOperation,
  defineTopic,
  extend,
  Instant,
  Nullable,
  OneOf,
  Version,
  inWords,
} from "#core/contract/index.ts";

export const settingsErrors = defineErrors("settings", {
  stale: { status: 409 },
  revisionUnknown: { status: 404, params: ["version"] },
  languageTagUnknown: { status: 400, params: ["tag"] },
  noConfigAdminLeft: { status: 409 },
  takesOwnPower: { status: 409 },
  setupStaysFinished: { status: 409 },
  jobHasMembers: { status: 409, params: ["job", "members", "meant"] },
  jobNoWork: { status: 409, params: ["job", "members"] },
});

/** Of features that know what a change would do. */
const checkErrors = [
  settingsErrors.noConfigAdminLeft,
  settingsErrors.takesOwnPower,
  settingsErrors.jobHasMembers,
  settingsErrors.jobNoWork,
];

const adminList = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 10, uniqueItems: true });
const jobNames = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: 100, uniqueItems: true });
const link = Type.String({
  maxLength: 255,
  pattern: "^$|^https://[^\\s/]+",
  description: "https address, or empty",
  ...inWords("must be an address that begins with https://, or empty"),
});

/** What config admins may set from the panel. No option of config.yaml is among them. */
export const Settings = Type.Object({
  general: Type.Object({
    /** Name of the community, shown in the frame and in titles. */
    name: Type.String({ minLength: 1, maxLength: 60 }),
    defaultLanguage: OneOf(["en", "de"]),
    setupComplete: Type.Boolean(),
  }),
  auth: Type.Object({
    /** Whether people may register with a token from the game server. */
    signUp: Type.Boolean(),
    /** Only the character that the account played last in the game may be chosen; admins are exempt. */
    lastCharacterLock: Type.Boolean(),
    /** Accounts with admin powers must have a second factor before they can use them. */
    secondFactorForAdmins: Type.Boolean(),
    /** Admin groups that the game server sends for an account have no effect until a config admin confirms them. */
    confirmGameAdmins: Type.Boolean(),
    /** A session ends this many days after its sign-in, however often it is used. */
    sessionDays: Type.Integer({ minimum: 1, maximum: 365 }),
    /** In addition to `auth.*` of config.yaml. */
    jobAdminGroups: adminList,
    jobAdminUsers: adminList,
    configAdminGroups: adminList,
    configAdminUsers: adminList,
  }),
  jobs: Type.Object({
    /** Names of a job by which the game says that somebody is off duty, apart from `off<job>`; each as `name:job`. */
    offDutyNames: Type.Array(
      Type.String({
        maxLength: 101,
        pattern: "^[^:\\s]{1,50}:[^:\\s]{1,50}$",
        ...inWords("must be the name that the game uses, a colon and the job, such as freemedic:ambulance"),
      }),
      { maxItems: 100, uniqueItems: true },
    ),
    /** Names that begin with `off` and are jobs of their own, although the rest is a job too. */
    notOffDuty: jobNames,
    /** Jobs that the game gives people who have none. */
    unemployed: jobNames,
    /** Leaders may ask the game server to hire, promote, demote and dismiss people of their job. */
    changesInGame: Type.Boolean(),
    /** Entries of the timeclock and their corrections are kept so long; daily totals stay for five years. */
    timeclockDays: Type.Integer({ minimum: 30, maximum: 1095 }),
  }),
  files: Type.Object({
    /** Largest upload; some kinds of files allow less. */
    maxUploadMegabytes: Type.Integer({ minimum: 1, maximum: 1024 }),
  }),
  website: Type.Object({ privacyPolicyUrl: link, imprintUrl: link }),
  display: Type.Object({
    /** BCP 47 tag for numbers and dates, for example `de-CH`; empty follows the viewer's language. */
    locale: Type.String({ maxLength: 32 }),
  }),
  banner: Type.Object({
    enabled: Type.Boolean(),
    text: Type.String({ maxLength: 512 }),
    tone: OneOf(["info", "warning", "danger"]),
    expiresAt: Nullable(Instant),
  }),
});
export type Settings = Static<typeof Settings>;

export const defaultSettings: Settings = {
  general: { name: "Rollcall", defaultLanguage: "en", setupComplete: false },
  auth: {
    signUp: true,
    lastCharacterLock: false,
    secondFactorForAdmins: false,
    confirmGameAdmins: false,
    sessionDays: 30,
    jobAdminGroups: [],
    jobAdminUsers: [],
    configAdminGroups: [],
    configAdminUsers: [],
  },
  jobs: { offDutyNames: [], notOffDuty: [], unemployed: ["unemployed"], changesInGame: false, timeclockDays: 365 },
  files: { maxUploadMegabytes: 25 },
  website: { privacyPolicyUrl: "", imprintUrl: "" },
  display: { locale: "" },
  banner: { enabled: false, text: "", tone: "info", expiresAt: null },
};

type PathsOf<S> = { [Section in keyof S & string]: `${Section}.${keyof S[Section] & string}` }[keyof S & string];
/** A setting as `<section>.<name>`. */
export type SettingPath = PathsOf<Settings>;
export const settingPaths = Object.entries(defaultSettings).flatMap(([section, fields]) =>
  Object.keys(fields).map((name) => `${section}.${name}`),
) as SettingPath[];

/** Settings with the version that a change must name. */
const Versioned = Type.Object({ version: Type.Integer({ minimum: 0 }), settings: Settings });

export const getSettings = defineOperation({
  id: "settings.get",
  method: "GET",
  path: "/api/settings",
  summary: "Application settings",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Versioned,
  example: { output: { version: 3, settings: defaultSettings } },
});

export const putSettings = defineOperation({
  id: "settings.put",
  method: "PUT",
  path: "/api/settings",
  summary: "Change the application settings",
  access: access.configAdmin(),
  rate: "write",
  input: {
    body: extend(Versioned, {
      confirmed: Type.Optional(
        Type.Array(Type.String({ maxLength: 50 }), {
          maxItems: 100,
          description:
            "Jobs that characters have, and that mean being off duty in another one (`jobHasMembers`), or no job at all (`jobNoWork`), by this change",
        }),
      ),
    }),
  },
  output: Versioned,
  errors: [settingsErrors.stale, settingsErrors.languageTagUnknown, ...checkErrors],
  example: {
    body: { version: 3, settings: defaultSettings },
    output: { version: 4, settings: defaultSettings },
  },
});

export const Revision = Type.Object({
  version: Version,
  at: Instant,
  by: Type.String(),
  /** Dotted paths with the values before and after. */
  changes: Type.Array(Type.Object({ path: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
});
export type Revision = Static<typeof Revision>;

export const settingsHistory = defineOperation({
  id: "settings.history",
  method: "GET",
  path: "/api/settings/history",
  summary: "The last hundred changes of the application settings, newest first",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({ revisions: Type.Array(Revision) }),
  example: {
    output: {
      revisions: [
        { version: 3, at: 1_790_000_000_000, by: "mara", changes: [{ path: "auth.signUp", before: true, after: false }] },
      ],
    },
  },
});

/** Undoing the end of the setup would ask an instance that runs for its first admin. */
export const keptByUndo: readonly SettingPath[] = ["general.setupComplete"];

/** Undoes one change with a new change; later changes of other fields stay, and so do those of `keptByUndo`. */
export const undoSettings = defineOperation({
  id: "settings.undo",
  method: "POST",
  path: "/api/settings/history/:version/undo",
  summary: "Undo one change of the application settings",
  access: access.configAdmin(),
  rate: "write",
  input: { params: Type.Object({ version: Version }) },
  output: Versioned,
  errors: [settingsErrors.revisionUnknown, settingsErrors.setupStaysFinished, ...checkErrors],
  example: { params: { version: 3 }, output: { version: 4, settings: defaultSettings } },
});

/** Settings changed; every process reads them again. */
export const settingsChanged = defineEvent({
  id: "settings.changed",
  version: 2,
  parts: settingPaths,
  payload: Type.Object({ version: Type.Integer(), changed: changedParts(settingPaths) }),
});

/** Notifies open browsers that public settings may have changed. */
export const settingsTopic = defineTopic({
  name: "settings",
  kind: "event",
  access: access.character(),
  message: Type.Object({ version: Type.Integer() }),
  example: { version: 4 },
});

export const settingsContract = {
  operations: [getSettings, putSettings, settingsHistory, undoSettings],
  events: [settingsChanged],
  topics: [settingsTopic],
  actions: ["settings.change"],
  objects: ["settings"],
  errors: settingsErrors,
  keptForGood: [{ kind: "revisions", tables: ["settings_revisions"] }],
};
