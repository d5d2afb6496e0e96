import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineEvent,
  defineOperation,
  definePreference,
  defineTopic,
  Instant,
  Nullable,
  OneOf,
  Version,
  inWords,
} from "#core/contract/index.ts";

/** In bytes of JSON. */
export const preferenceLimits = { one: 8 * 1024, all: 100 * 1024 } as const;

export const preferencesErrors = defineErrors("preferences", {
  nameUnknown: { status: 404, params: ["name"] },
  valueInvalid: { status: 400, params: ["name", "field", "problem"] },
  characterNeeded: { status: 400, params: ["name"] },
  notPerCharacter: { status: 400, params: ["name"] },
  characterUnknown: { status: 404 },
  tooLarge: { status: 413, params: ["name", "most"] },
  full: { status: 413, params: ["most"] },
  stale: { status: 409 },
});

/** How the application looks and behaves. A device keeps its own value of what is left out. */
export const displayPreference = definePreference({
  id: "preferences.display",
  per: "account",
  version: 1,
  schema: Type.Object(
    {
      scheme: Type.Optional(OneOf(["dark", "light", "auto"])),
      language: Type.Optional(OneOf(["en", "de"])),
      density: Type.Optional(OneOf(["compact", "comfortable"])),
      /** Single letters as shortcuts. */
      singleKeys: Type.Optional(Type.Boolean()),
      navigationCollapsed: Type.Optional(Type.Boolean()),
      /** Columns that are hidden, by list. */
      columns: Type.Optional(
        Type.Record(Type.String({ maxLength: 40 }), Type.Array(Type.String({ maxLength: 40 }), { maxItems: 40 }), {
          maxProperties: 40,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  default: {},
});

/** When the home page was opened last, and before that: its cards say what happened since. */
export const visitsPreference = definePreference({
  id: "preferences.visits",
  per: "character",
  version: 1,
  schema: Type.Object({ before: Instant, last: Instant }, { additionalProperties: false }),
  default: { before: 0, last: 0 },
});

export const Preference = Type.Object({
  name: Type.String(),
  /** Null where one value is kept for the account. */
  characterId: Nullable(Type.Integer({ minimum: 1 })),
  /** As the schema of the preference describes it. */
  value: Type.Unknown(),
  version: Version,
});
export type Preference = Static<typeof Preference>;

const example: Preference = { name: displayPreference.id, characterId: null, value: { scheme: "light" }, version: 2 };

/** What was never set is not listed: its default applies. */
export const listPreferences = defineOperation({
  id: "preferences.list",
  method: "GET",
  path: "/api/preferences",
  summary: "Your preferences, of the account and of all its characters",
  access: access.account(),
  rate: "read",
  input: {},
  output: Type.Object({ items: Type.Array(Preference) }),
  example: { output: { items: [example] } },
});

const byName = Type.Object({
  name: Type.String({
    maxLength: 100,
    pattern: "^[a-z]+\\.\\w+$",
    ...inWords("must be the name of a preference, such as audit.columns"),
  }),
});
const ofCharacter = Type.Optional(Type.Integer({ minimum: 1 }));
/**
 * Without `version` the last write wins. With it, the write of a value that has changed since is refused: for
 * values that are changed in part, such as a list of which one entry is removed. 0 stands for a value that was
 * never set. Nothing sets one back: its versions would begin again, and an old one would be taken for a new one.
 */
export const putPreference = defineOperation({
  id: "preferences.put",
  method: "PUT",
  path: "/api/preferences/:name",
  summary: "Set one preference",
  access: access.account(),
  rate: "write",
  bodyLimit: 64 * 1024,
  input: {
    params: byName,
    body: Type.Object({
      characterId: ofCharacter,
      value: Type.Unknown(),
      version: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  },
  output: Preference,
  errors: [
    preferencesErrors.nameUnknown,
    preferencesErrors.characterNeeded,
    preferencesErrors.notPerCharacter,
    preferencesErrors.characterUnknown,
    preferencesErrors.valueInvalid,
    preferencesErrors.tooLarge,
    preferencesErrors.full,
    preferencesErrors.stale,
  ],
  example: { params: { name: example.name }, body: { value: example.value, version: 1 }, output: example },
});

/** A preference was set: other pages of the account read them again. */
export const preferencesChanged = defineEvent({
  id: "preferences.changed",
  version: 1,
  payload: Type.Object({ accountId: Type.Integer(), name: Type.String() }),
});

export const preferencesTopic = defineTopic({
  name: "preferences/:account",
  kind: "event",
  access: access.character(),
  message: Type.Object({ name: Type.String() }),
  example: { name: displayPreference.id },
});

export const preferencesContract = {
  operations: [listPreferences, putPreference],
  events: [preferencesChanged],
  topics: [preferencesTopic],
  errors: preferencesErrors,
  preferences: [displayPreference, visitsPreference],
};
