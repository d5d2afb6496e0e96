import type { NotificationDefinition } from "#core/contract/index.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface Recipient {
  readonly accountId: number;
  /** Shown only while this character is chosen; when left out, with any character. */
  readonly characterId?: number;
}

export interface NotificationContent {
  readonly params: Readonly<Record<string, string | number>>;
  /** A path of the application, for example `/account/sessions`. */
  readonly link?: string;
  /**
   * At most 100 characters. It takes the place of the unread one with the same recipient, kind and key. A kind
   * with a digest counts for each key separately.
   */
  readonly key?: string;
}

/** The same for all. */
export interface Broadcast extends NotificationContent {
  readonly recipients: readonly Recipient[];
}

export type NewNotification = Recipient & NotificationContent;

/**
 * The first two store notifications in the caller's unit of work, and everybody gets them after its commit. The number of
 * statements grows by one for each 1,000 recipients, and events by one: one call for all, never a loop.
 */
export interface NotificationsApi {
  notify(tx: Tx, kind: NotificationDefinition, broadcast: Broadcast): Promise<void>;
  /** For recipients with different params, links or keys. */
  notifyEach(tx: Tx, kind: NotificationDefinition, notifications: readonly NewNotification[]): Promise<void>;
  /** Of these accounts, those that want the kind through this channel: for a delivery that happens some time later. */
  wanting(tx: Tx, kind: NotificationDefinition, channel: string, accountIds: readonly number[]): Promise<number[]>;
}

export const notificationsApi = apiToken<NotificationsApi>("notifications");
