import type { Actor } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Settings } from "./settings.contract.ts";

export interface SettingsApi {
  /** The cached settings, however old; the defaults before the first read. For callers that cannot wait. */
  known(): Settings;
  /** At most two seconds old, and current after a change in this process or its event. Outside any unit of work. */
  current(): Promise<Settings>;
  read(tx: Tx): Promise<Settings>;
  /** Changes some settings in the caller's unit of work. */
  change(tx: Tx, actor: Actor, edit: (settings: Settings) => Settings): Promise<Settings>;
}

export const settingsApi = apiToken<SettingsApi>("settings");
