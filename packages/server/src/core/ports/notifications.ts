import type { NotificationDefinition } from "../contract/notification.ts";
import type { Tx } from "./database.ts";

/** A notification of one person, as it was stored. */
export interface DeliveredNotification {
  readonly id: number;
  readonly accountId: number;
  /** Null when it concerns the account, with any character. */
  readonly characterId: number | null;
  readonly params: Readonly<Record<string, string | number>>;
  readonly link: string | null;
  /** How many it stands for: more than one only if the kind has a digest. */
  readonly count: number;
  /** The id of the older one that it took the place of. */
  readonly replaced: number | null;
  /** The channels of the delivery that the person wants. */
  readonly channels: readonly string[];
}

export interface NotificationBatch {
  readonly kind: NotificationDefinition;
  readonly at: number;
  readonly items: readonly DeliveredNotification[];
}

export interface DeliveryChannel {
  /** Stored with the choices; at most 16 characters. */
  readonly id: string;
  /** The key of its name in the texts. */
  readonly label: string;
}

/**
 * A way of notifications to people, registered by a feature (`deliveries`). Everybody chooses among the
 * channels of all registered ways, for each kind of notification.
 */
export interface NotificationDelivery {
  readonly id: string;
  readonly channels: readonly DeliveryChannel[];
  /** Receives also what a person wants through none of its channels, to keep what it shows in step. */
  readonly everything?: boolean;
  /** Whether its channels are offered to the account, for example because it has a connection to the chat. */
  availableFor(tx: Tx, accountId: number): Promise<boolean>;
  /**
   * Called in the transaction that stores the notifications, with at least one. It only writes rows or
   * events, in few statements whatever the number; what calls another system is done after the commit. Skips
   * accounts that it cannot reach.
   */
  deliver(tx: Tx, batch: NotificationBatch): Promise<void>;
}
