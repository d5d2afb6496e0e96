/** Named limits of `/api/realtime`. */
export interface RealtimeLimits {
  /** Largest message of a client, bytes. */
  readonly frameBytes: number;
  readonly subscriptionsPerConnection: number;
  readonly connectionsPerAccount: number;
  readonly connectionsPerLink: number;
  /** Messages of a client per minute. */
  readonly messagesPerMinute: number;
  /** How long a connection may stay open without a token. */
  readonly authenticateMs: number;
  /** Connections without a token, in total. */
  readonly anonymousConnections: number;
  readonly anonymousPerNetwork: number;
  /** A younger connection is not ended to make room for another one. */
  readonly anonymousGraceMs: number;
  /** Frames before a token, including pings and pongs; enough for a client that subscribes before `ready`. */
  readonly anonymousMessages: number;
  /** Characters of a message before a token. */
  readonly anonymousFrameLength: number;
  /** Bytes that a client may send before it signed in, whatever the size of its frames. */
  readonly anonymousBytes: number;
  /** The server sends something at least this often, and closes a connection that is silent for twice as long. */
  readonly heartbeatMs: number;
  /** Unsent bytes after which a subscriber of events is closed. */
  readonly slowReaderBytes: number;
  /** Unsent bytes after which state frames are dropped. */
  readonly stateBacklogBytes: number;
  /** Events kept in memory for resuming. */
  readonly ringEvents: number;
  readonly ringBytes: number;
  /** Events read from the broker for one resuming subscription; more means a snapshot. */
  readonly resumeEvents: number;
  /** Resume budget of an account or a link over all connections, as a burst and per second; more means a snapshot. */
  readonly accountResumeEvents: number;
  readonly accountResumeEventsPerSecond: number;
  readonly accountResumeBytes: number;
  readonly accountResumeBytesPerSecond: number;
  /** How long an expired token still keeps the connection open, for a renewal in progress. */
  readonly expiryGraceMs: number;
}

export const defaultLimits: RealtimeLimits = {
  frameBytes: 16 * 1024,
  subscriptionsPerConnection: 100,
  connectionsPerAccount: 20,
  connectionsPerLink: 20,
  messagesPerMinute: 600,
  authenticateMs: 10_000,
  anonymousConnections: 1000,
  anonymousPerNetwork: 50,
  anonymousGraceMs: 2000,
  anonymousMessages: 120,
  anonymousFrameLength: 5000,
  anonymousBytes: 64 * 1024,
  heartbeatMs: 20_000,
  slowReaderBytes: 1024 * 1024,
  stateBacklogBytes: 128 * 1024,
  ringEvents: 5000,
  ringBytes: 16 * 1024 * 1024,
  resumeEvents: 2000,
  accountResumeEvents: 20_000,
  accountResumeEventsPerSecond: 500,
  accountResumeBytes: 16 * 1024 * 1024,
  accountResumeBytesPerSecond: 256 * 1024,
  expiryGraceMs: 30_000,
};
