import type { NotificationDefinition } from "#core/contract/index.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface NewNotification {
  readonly accountId: number;
  /** Only while this character is chosen; whichever it is when left out. */
  readonly characterId?: number;
  readonly params: Readonly<Record<string, string | number>>;
  /** A path of the application, for example `/account/sessions`. */
  readonly link?: string;
}

export interface NotificationsApi {
  /** Stores them in the caller's unit of work and shows them in open browsers after it. */
  notify(tx: Tx, kind: NotificationDefinition, notifications: readonly NewNotification[]): Promise<void>;
}

export const notificationsApi = apiToken<NotificationsApi>("notifications");
