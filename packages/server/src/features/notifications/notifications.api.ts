import type { NotificationDefinition } from "#core/contract/index.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface NewNotification {
  readonly accountId: number;
  /** Shown only while this character is chosen; when left out, with any character. */
  readonly characterId?: number;
  readonly params: Readonly<Record<string, string | number>>;
  /** A path of the application, for example `/account/sessions`. */
  readonly link?: string;
}

export interface NotificationsApi {
  /** Stores them in the caller's unit of work; open browsers show them after its commit. */
  notify(tx: Tx, kind: NotificationDefinition, notifications: readonly NewNotification[]): Promise<void>;
}

export const notificationsApi = apiToken<NotificationsApi>("notifications");
