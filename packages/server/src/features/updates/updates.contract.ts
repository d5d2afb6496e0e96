import { Type, type Static } from "typebox";
import { access, defineNotification, defineOperation, Instant, Nullable } from "#core/contract/index.ts";

/** Sent to config admins, once for each new version. */
export const updateNotification = defineNotification({
  id: "updates.available",
  tone: "info",
  params: ["version"],
  channels: ["bell"],
  for: "configAdmins",
});

export const UpdateStatus = Type.Object({
  enabled: Type.Boolean(),
  /** Whether `updateCheck.feedURL` names a feed; without one nothing is checked. */
  hasFeed: Type.Boolean(),
  running: Type.String(),
  /** When the feed was last requested; null when never. */
  checkedAt: Nullable(Instant),
  /** When it last answered. */
  knownAt: Nullable(Instant),
  /** Why the last check failed; null when it did not. */
  problem: Nullable(Type.String()),
  /** The newest release, when it is newer than the running version. */
  available: Nullable(
    Type.Object({
      version: Type.String(),
      /** Plain text. */
      notes: Type.String(),
      url: Nullable(Type.String()),
      publishedAt: Nullable(Instant),
    }),
  ),
});
export type UpdateStatus = Static<typeof UpdateStatus>;

export const updateStatus = defineOperation({
  id: "updates.status",
  method: "GET",
  path: "/api/updates",
  summary: "Whether there is a newer version",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: UpdateStatus,
  example: {
    output: {
      enabled: true,
      hasFeed: true,
      running: "0.1.0",
      checkedAt: 1_790_000_000_000,
      knownAt: 1_790_000_000_000,
      problem: null,
      available: {
        version: "0.2.0",
        notes: "Faster search.",
        url: "https://city.example/releases/0.2.0",
        publishedAt: 1_789_000_000_000,
      },
    },
  },
});

export const updatesContract = { operations: [updateStatus], notifications: [updateNotification] };
