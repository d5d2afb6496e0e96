import type { Actor } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Settings } from "./settings.contract.ts";

/** Throws where `after` may not follow `before`; in the unit of work of the change. `confirmed` are names of jobs. */
export type SettingsCheck = (
  tx: Tx,
  actor: Actor,
  before: Settings,
  after: Settings,
  confirmed: readonly string[],
) => Promise<void>;

export interface SettingsApi {
  /** The cached settings, however old; the defaults before the first read. For callers that cannot wait. */
  known(): Settings;
  /** At most two seconds old, and current after a change in this process or its event. Outside any unit of work. */
  current(): Promise<Settings>;
  read(tx: Tx): Promise<Settings>;
  /** Changes some settings in the caller's unit of work. */
  change(tx: Tx, actor: Actor, edit: (settings: Settings) => Settings): Promise<Settings>;
  /** For features that need this one, and know what a change would do to their objects; before the start. */
  addCheck(check: SettingsCheck): void;
}

export const settingsApi = apiToken<SettingsApi>("settings");
