import { Type, type Static } from "typebox";
import { access, defineErrors, defineOperation, inWords } from "#core/contract/index.ts";

const word = "[a-z0-9]+(?:-[a-z0-9]+)*";

/** `<set>:<icon>`, for example `tabler:user`. */
export const IconName = Type.String({
  pattern: `^${word}:${word}$`,
  maxLength: 129,
  ...inWords("must be the name of an icon, such as tabler:shield"),
});

const SetName = Type.String({
  pattern: `^${word}$`,
  maxLength: 64,
  ...inWords("must be the name of a set of icons, such as tabler"),
});

export const iconsErrors = defineErrors("icons", {
  setNotFound: { status: 404, params: ["set"] },
  /** In proxy mode: the icon service does not answer, and nothing of the set is stored. */
  serviceAway: { status: 503 },
});

/** Most icons of one request. */
export const mostIcons = 200;

/** In the shape that Iconify components load: `{prefix, lastModified, width, height, icons, aliases, not_found}`. */
export const iconSet = defineOperation({
  id: "icons.set",
  method: "GET",
  path: "/api/icons/:set.json",
  summary: "Drawings of icons of one set",
  access: access.public(),
  rate: "read",
  input: {
    params: Type.Object({ set: SetName }),
    /** Names, separated by commas. */
    query: Type.Object({
      icons: Type.String({
        pattern: "^[a-z0-9-]{1,64}(?:,[a-z0-9-]{1,64})*$",
        maxLength: 4000,
        ...inWords("must be names of icons with commas between them, such as shield,car"),
      }),
    }),
  },
  output: null,
  answer: "file",
  errors: [iconsErrors.setNotFound, iconsErrors.serviceAway],
  example: { params: { set: "tabler" }, query: { icons: "user,lock" } },
});

export const IconSetInfo = Type.Object({ prefix: Type.String(), name: Type.String(), total: Type.Integer({ minimum: 0 }) });
export type IconSetInfo = Static<typeof IconSetInfo>;

export const listIconSets = defineOperation({
  id: "icons.sets",
  method: "GET",
  path: "/api/icons",
  summary: "Sets of icons",
  access: access.account(),
  rate: "read",
  input: {},
  output: Type.Object({ sets: Type.Array(IconSetInfo) }),
  example: { output: { sets: [{ prefix: "tabler", name: "Tabler Icons", total: 400 }] } },
});

/** Best match first; with an empty query, in the order of the sets. */
export const searchIcons = defineOperation({
  id: "icons.search",
  method: "GET",
  path: "/api/icons/search",
  summary: "Find icons by their names",
  access: access.account(),
  rate: "search",
  input: {
    query: Type.Object({
      query: Type.String({ maxLength: 64, default: "" }),
      set: Type.Optional(SetName),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 96 }),
    }),
  },
  /** `<set>:<icon>`; `total` is the number of all matches. */
  output: Type.Object({ icons: Type.Array(Type.String()), total: Type.Integer({ minimum: 0 }) }),
  example: { query: { query: "user" }, output: { icons: ["tabler:user", "tabler:users"], total: 2 } },
});

export const iconsContract = { operations: [iconSet, listIconSets, searchIcons], errors: iconsErrors };
