/** Named limits of `/api/realtime`. */
export interface RealtimeLimits {
  /** Largest message of a client, bytes. */
  readonly frameBytes: number;
  readonly subscriptionsPerConnection: number;
  readonly connectionsPerAccount: number;
  /** Messages of a client per minute. */
  readonly messagesPerMinute: number;
  /** How long a connection may stay without a token. */
  readonly authenticateMs: number;
  /** The server says something at least this often, and expects something every second time. */
  readonly heartbeatMs: number;
  /** Bytes waiting for a reader of events before it is closed. */
  readonly slowReaderBytes: number;
  /** Bytes waiting for a reader before state frames are dropped. */
  readonly stateBacklogBytes: number;
  /** Events kept in memory for resuming. */
  readonly ringEvents: number;
  readonly ringBytes: number;
  /** Events read from the broker for one resuming subscription; more means a snapshot. */
  readonly resumeEvents: number;
  /** Frames per second of a state topic and viewer. */
  readonly stateRate: number;
  /** A state that nobody renewed for so long is forgotten. */
  readonly stateMaxAgeMs: number;
  /** How long after its end a token still carries a connection, for a renewal under way. */
  readonly expiryGraceMs: number;
}

export const defaultLimits: RealtimeLimits = {
  frameBytes: 16 * 1024,
  subscriptionsPerConnection: 100,
  connectionsPerAccount: 20,
  messagesPerMinute: 600,
  authenticateMs: 10_000,
  heartbeatMs: 20_000,
  slowReaderBytes: 1024 * 1024,
  stateBacklogBytes: 128 * 1024,
  ringEvents: 5000,
  ringBytes: 16 * 1024 * 1024,
  resumeEvents: 2000,
  stateRate: 4,
  stateMaxAgeMs: 15 * 60_000,
  expiryGraceMs: 30_000,
};
