/** How a notification may reach a person. */
export const notificationChannels = ["bell", "toast", "sound"] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

export type NotificationTone = "info" | "success" | "warning" | "danger";

/**
 * One kind of notification. Its texts are in the feature's text file under `notifications.<name>` as
 * `title`, `text` and `label` (its name in the preferences), with the params as placeholders.
 */
export interface NotificationDefinition {
  /** `<feature>.<name>`. */
  readonly id: string;
  readonly tone: NotificationTone;
  readonly params: readonly string[];
  /** Channels that are on until the person chooses otherwise. */
  readonly channels: readonly NotificationChannel[];
  /** Concerns the security of the account: the bell cannot be turned off. */
  readonly always?: boolean;
}

export function defineNotification<const D extends NotificationDefinition>(definition: D): D {
  return definition;
}
