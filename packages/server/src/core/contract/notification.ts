/** The channels of the browser. Features register further ones with their `deliveries`. */
export const notificationChannels = ["bell", "toast", "sound"] as const;

export type NotificationTone = "info" | "success" | "warning" | "danger";

/**
 * One kind of notification. Its texts are in the feature's text file under `notifications.<name>` as
 * `title`, `text` and `label` (its name in the preferences), with the params as placeholders. Where a param
 * is `count`, or the kind has a `digest`, `title` and `text` may have plural forms (`title_one`, `title_other`).
 * A param with ids of permissions, a space between them, has a sentence of its own under `permissions.<param>`: it is
 * shown after the text with their names as `{{names}}`, and how many more there are by the param `<param>Count`.
 */
export interface NotificationDefinition {
  /** `<feature>.<name>`. */
  readonly id: string;
  readonly tone: NotificationTone;
  readonly params: readonly string[];
  /** Channels that are on until the person chooses otherwise; one that no feature registers has no effect. */
  readonly channels: readonly string[];
  /** Concerns the security of the account: the bell cannot be turned off. */
  readonly always?: boolean;
  /** Who can get it, if not everybody: others are not offered its channels. */
  readonly for?: "configAdmins";
  /**
   * What arrives within this time of the first one is shown as one notification, with the params of the newest
   * and their number as `{{count}}`. One that was read begins again at one.
   */
  readonly digest?: { readonly everyMs: number };
}

export function defineNotification<const D extends NotificationDefinition>(definition: D): D {
  return definition;
}
