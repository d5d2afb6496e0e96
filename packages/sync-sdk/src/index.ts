import { createClient, type SyncClient, type SyncClientOptions } from "./client.ts";
import { systemTiming } from "./retry.ts";

export type {
  Account,
  AccountToken,
  AccountTokenKind,
  Job,
  Licence,
  ManifestKind,
  ManifestResult,
  SyncClient,
  SyncClientOptions,
  SyncStatus,
  User,
  Vehicle,
} from "./client.ts";
export type { CallsClient, CreatedCall, NewCall } from "./calls.ts";
export type { NewPanic, PanicClient, PressedPanic } from "./panic.ts";
export type { Colleague, ColleagueActivity, ColleaguesClient, StaffMember } from "./colleagues.ts";
export type { DutyEvent } from "./duty.ts";
export type { Position, PositionsClient } from "./positions.ts";
export { SyncError, type SyncErrorDetails } from "./errors.ts";
export type { LogLevel, SyncEvent } from "./events.ts";
export type { BatchOperation } from "./operations.ts";
export type {
  GameRequestAnswer,
  GameRequestCall,
  GameRequestHandler,
  GameRequestHandlerOptions,
  GameRequestKind,
  GameRequestPayload,
} from "./requests.run.ts";
export type { RequestsClient } from "./requests.ts";
export type { RejectedItem, SendResult } from "./results.ts";
export type { RetryOptions } from "./retry.ts";
export { sdkVersion } from "./version.ts";

/** Opens a client of the Sync API. Throws `SyncError` for wrong options; connects with the first call. */
export function createSyncClient(options: SyncClientOptions): SyncClient {
  return createClient(options, systemTiming);
}
