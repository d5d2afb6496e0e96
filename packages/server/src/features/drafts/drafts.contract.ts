import { Type, type Static } from "typebox";
import { access, days, defineErrors, defineOperation, Instant, Nullable, inWords } from "#core/contract/index.ts";

/** `bytes` of JSON each; the oldest of an account goes when there are more than `account`; milliseconds since its last change. */
export const draftLimits = { bytes: 64 * 1024, account: 100, keptMs: days(30) } as const;

export const draftsErrors = defineErrors("drafts", {
  tooLarge: { status: 413, params: ["most"] },
  characterUnknown: { status: 404 },
});

export const Draft = Type.Object({
  /** Version of the record that the person began with; 0 for something new. */
  baseVersion: Type.Integer({ minimum: 0 }),
  /** As the form stored it. */
  value: Type.Unknown(),
  /** Random name of the device that stored it. */
  device: Type.String({ minLength: 1, maxLength: 40 }),
  savedAt: Instant,
});
export type Draft = Static<typeof Draft>;

const example: Draft = {
  baseVersion: 3,
  value: { title: "Radio check" },
  device: "4f1c9a7be2d05836",
  savedAt: 1_790_000_000_000,
};

const byForm = Type.Object({
  form: Type.String({
    maxLength: 100,
    pattern: "^[a-z][\\w.-]*$",
    description: "As `notice.12`",
    ...inWords("must be the name of a form, such as notice.12"),
  }),
});
const ofCharacter = Type.Object({
  characterId: Type.Optional(Type.Integer({ minimum: 1, description: "Left out: the draft of the account itself" })),
});

export const getDraft = defineOperation({
  id: "drafts.get",
  method: "GET",
  path: "/api/drafts/:form",
  summary: "Read your draft of a form",
  access: access.account(),
  rate: "read",
  input: { params: byForm, query: ofCharacter },
  output: Type.Object({ draft: Nullable(Draft) }),
  errors: [draftsErrors.characterUnknown],
  example: { params: { form: "notice.12" }, query: { characterId: 12 }, output: { draft: example } },
});

/** The last write wins: a draft that another device replaced stays on the device where it was written. */
export const putDraft = defineOperation({
  id: "drafts.put",
  method: "PUT",
  path: "/api/drafts/:form",
  summary: "Keep what was typed into a form and is not sent yet",
  access: access.account(),
  rate: "write",
  bodyLimit: draftLimits.bytes + 16 * 1024,
  input: {
    params: byForm,
    query: ofCharacter,
    body: Type.Object({ baseVersion: Draft.properties.baseVersion, value: Type.Unknown(), device: Draft.properties.device }),
  },
  output: Type.Object({ savedAt: Instant }),
  errors: [draftsErrors.characterUnknown, draftsErrors.tooLarge],
  example: {
    params: { form: "notice.12" },
    query: { characterId: 12 },
    body: { baseVersion: example.baseVersion, value: example.value, device: example.device },
    output: { savedAt: example.savedAt },
  },
});

export const removeDraft = defineOperation({
  id: "drafts.remove",
  method: "DELETE",
  path: "/api/drafts/:form",
  summary: "Discard your draft of a form",
  access: access.account(),
  rate: "write",
  input: { params: byForm, query: ofCharacter },
  output: null,
  errors: [draftsErrors.characterUnknown],
  example: { params: { form: "notice.12" }, query: { characterId: 12 } },
});

export const draftsContract = { operations: [getDraft, putDraft, removeDraft], errors: draftsErrors };
