import { apiToken } from "#core/feature.ts";

export interface SetupApi {
  /** Whether nobody can sign in yet. */
  needed(): Promise<boolean>;
  /** The address of the setup page with its key, for operators alone; null when somebody can sign in. */
  address(): Promise<string | null>;
}

export const setupApi = apiToken<SetupApi>("setup");
