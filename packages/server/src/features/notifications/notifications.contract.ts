import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineEvent,
  defineNotification,
  defineOperation,
  definePreference,
  defineTopic,
  extend,
  Instant,
  notificationChannels,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
} from "#core/contract/index.ts";

export const notificationsErrors = defineErrors("notifications", {
  kindUnknown: { status: 400, params: ["kind"] },
  bellStays: { status: 400, params: ["kind"] },
  channelUnknown: { status: 400, params: ["channel"] },
});

/** Sent by a person to themselves, to try how notifications arrive. */
export const trialNotification = defineNotification({
  id: "notifications.trial",
  tone: "info",
  params: ["name"],
  channels: ["bell", "toast", "game"],
});

/** The sound of notifications on every device; which kinds have one is chosen with their channels. */
export const soundPreference = definePreference({
  id: "notifications.sound",
  per: "account",
  version: 1,
  schema: Type.Object(
    { volume: Type.Integer({ minimum: 0, maximum: 100 }), muted: Type.Boolean() },
    { additionalProperties: false },
  ),
  default: { volume: 50, muted: false },
});

const Params = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]));

const Item = Type.Object({
  id: Type.Integer(),
  accountId: Type.Integer(),
  /** Null when it concerns the account, with any character. */
  characterId: Type.Union([Type.Integer(), Type.Null()]),
  kind: Type.String(),
  params: Params,
  link: Type.Union([Type.String(), Type.Null()]),
  at: Type.Integer(),
});

const tones = ["info", "success", "warning", "danger"] as const;

/** What programs before `notifications.sent` emit, one for each person; open browsers of the account show it. */
export const notificationsAdded = defineEvent({
  id: "notifications.added",
  version: 1,
  payload: Type.Object({
    items: Type.Array(
      extend(Item, {
        /** The channels that the person chose; without `bell` it is stored as read. */
        channels: Type.Optional(Type.Array(OneOf(notificationChannels))),
        tone: Type.Optional(OneOf(tones)),
      }),
    ),
  }),
});

/**
 * Notifications were stored: open browsers of the accounts show them. What most of them have in common is
 * written once; each of `to` has what is different for it.
 */
export const notificationsSent = defineEvent({
  id: "notifications.sent",
  version: 1,
  payload: Type.Object({
    kind: Type.String(),
    tone: OneOf(tones),
    at: Type.Integer(),
    params: Params,
    link: Type.Union([Type.String(), Type.Null()]),
    /** The channels that the person chose; without `bell` it is stored as read. */
    channels: Type.Array(OneOf(notificationChannels)),
    to: Type.Array(
      Type.Object({
        id: Type.Integer(),
        accountId: Type.Integer(),
        /** Left out when it concerns the account, with any character. */
        characterId: Type.Optional(Type.Integer()),
        params: Type.Optional(Params),
        link: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        channels: Type.Optional(Type.Array(OneOf(notificationChannels))),
        /** How many it stands for, if more than one. */
        count: Type.Optional(Type.Integer()),
        /** The id of the older one in whose place it is. */
        replaced: Type.Optional(Type.Integer()),
      }),
    ),
  }),
});

/** Some were read, became unread or were removed: other browsers of the account count them again. */
export const notificationsRead = defineEvent({
  id: "notifications.read",
  version: 1,
  payload: Type.Object({ accountId: Type.Integer() }),
});

export const Notification = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  kind: Type.String(),
  params: Type.Unsafe<Record<string, string | number>>({ type: "object", additionalProperties: true }),
  link: Nullable(Type.String()),
  /** How many it stands for: kinds with a digest show several as one. */
  count: Type.Integer({ minimum: 1 }),
  at: Instant,
  readAt: Nullable(Instant),
});
export type Notification = Static<typeof Notification>;

const example: Notification = {
  id: 7,
  kind: trialNotification.id,
  params: { name: "Mara Lind" },
  link: "/notifications",
  count: 1,
  at: 1_790_000_000_000,
  readAt: null,
};

/** New notifications of the account. `items` is empty when some were read, became unread or were removed in another browser. */
export const notificationsTopic = defineTopic({
  name: "notifications/:account",
  kind: "event",
  access: access.character(),
  message: Type.Object({
    items: Type.Array(
      extend(Notification, {
        channels: Type.Array(OneOf(notificationChannels)),
        tone: OneOf(tones),
        /** The older one in whose place it is, and which is gone. */
        replaced: Nullable(Type.Integer({ minimum: 1 })),
      }),
    ),
  }),
  example: { items: [{ ...example, channels: ["bell", "toast"], tone: "info", replaced: null }] },
});

export const listNotifications = defineOperation({
  id: "notifications.list",
  method: "GET",
  path: "/api/notifications",
  summary: "Notifications of the caller, newest first",
  access: access.character(),
  rate: "read",
  input: {
    query: Type.Object({
      ...pageQuery,
      only: Type.Optional(OneOf(["unread"])),
      kind: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    }),
  },
  output: PageOf(Notification),
  example: { query: { only: "unread" }, output: { items: [example], next: null, total: 1, totalCapped: false } },
});

/** The most that the number of unread notifications counts. */
export const mostUnread = 1000;

const Unread = Type.Object({ unread: Type.Integer({ minimum: 0, maximum: mostUnread }) });

export const countUnread = defineOperation({
  id: "notifications.unread",
  method: "GET",
  path: "/api/notifications/unread",
  summary: "Unread notifications of the caller, counted up to 1,000",
  access: access.character(),
  rate: "read",
  input: {},
  output: Unread,
  example: { output: { unread: 3 } },
});

/** The most notifications that one call changes. */
export const mostAtOnce = 200;

const Ids = Type.Object({ ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: mostAtOnce }) });

/** Ids of other accounts are ignored. */
export const markRead = defineOperation({
  id: "notifications.markRead",
  method: "POST",
  path: "/api/notifications/read",
  summary: "Mark notifications as read",
  access: access.character(),
  rate: "write",
  input: { body: Ids },
  output: Unread,
  example: { body: { ids: [7] }, output: { unread: 2 } },
});

/** Ids of other accounts are ignored. */
export const markUnread = defineOperation({
  id: "notifications.markUnread",
  method: "POST",
  path: "/api/notifications/unread",
  summary: "Mark notifications as unread",
  access: access.character(),
  rate: "write",
  input: { body: Ids },
  output: Unread,
  example: { body: { ids: [7] }, output: { unread: 3 } },
});

/** For good: there is no way back. Ids of other accounts are ignored. */
export const removeNotifications = defineOperation({
  id: "notifications.remove",
  method: "POST",
  path: "/api/notifications/remove",
  summary: "Remove notifications for good",
  access: access.character(),
  rate: "write",
  input: { body: Ids },
  output: Unread,
  example: { body: { ids: [7] }, output: { unread: 2 } },
});

export const markAllRead = defineOperation({
  id: "notifications.markAllRead",
  method: "POST",
  path: "/api/notifications/read-all",
  summary: "Mark all notifications up to one as read; later ones stay unread",
  access: access.character(),
  rate: "write",
  input: { body: Type.Object({ upTo: Type.Integer({ minimum: 1 }) }) },
  output: Unread,
  example: { body: { upTo: 7 }, output: { unread: 0 } },
});

const switches = Type.Record(Type.String(), Type.Boolean(), { maxProperties: 50 });

export const Preferences = Type.Object({
  /** Of all ways of notifications to this account; `label` is the key of its name in the texts. */
  channels: Type.Array(Type.Object({ id: Type.String(), label: Type.String() })),
  kinds: Type.Array(
    Type.Object({
      kind: Type.String(),
      tone: OneOf(tones),
      /** The bell cannot be turned off. */
      always: Type.Boolean(),
      channels: switches,
    }),
  ),
});
export type Preferences = Static<typeof Preferences>;

const examplePreferences: Preferences = {
  channels: notificationChannels.map((id) => ({ id, label: `notifications.channels.${id}` })),
  kinds: [{ kind: trialNotification.id, tone: "info", always: false, channels: { bell: true, toast: true, sound: false } }],
};

export const getPreferences = defineOperation({
  id: "notifications.preferences",
  method: "GET",
  path: "/api/notifications/preferences",
  summary: "Channels of each kind of notification",
  access: access.account(),
  rate: "read",
  input: {},
  output: Preferences,
  example: { output: examplePreferences },
});

export const putPreferences = defineOperation({
  id: "notifications.putPreferences",
  method: "PUT",
  path: "/api/notifications/preferences",
  summary: "Choose the channels of kinds of notifications; kinds and channels left out do not change",
  access: access.account(),
  rate: "write",
  input: {
    body: Type.Object({
      kinds: Type.Array(Type.Object({ kind: Type.String({ minLength: 1, maxLength: 100 }), channels: switches }), {
        minItems: 1,
        maxItems: 200,
      }),
    }),
  },
  output: Preferences,
  errors: [notificationsErrors.kindUnknown, notificationsErrors.bellStays, notificationsErrors.channelUnknown],
  example: {
    body: { kinds: [{ kind: trialNotification.id, channels: { bell: true, toast: true, sound: false } }] },
    output: examplePreferences,
  },
});

export const tryNotification = defineOperation({
  id: "notifications.try",
  method: "POST",
  path: "/api/notifications/try",
  summary: "Send a notification to your account, to try how it arrives",
  access: access.character(),
  rate: "write",
  input: {},
  output: null,
  example: {},
});

export const notificationsContract = {
  operations: [
    listNotifications,
    countUnread,
    markRead,
    markUnread,
    markAllRead,
    removeNotifications,
    getPreferences,
    putPreferences,
    tryNotification,
  ],
  events: [notificationsAdded, notificationsSent, notificationsRead],
  topics: [notificationsTopic],
  errors: notificationsErrors,
  notifications: [trialNotification],
  preferences: [soundPreference],
};
