import { apiToken, type Finding } from "#core/feature.ts";

export interface SystemApi {
  /** Runs every check; the most severe findings first. A check that fails is a finding too. */
  examine(): Promise<{ findings: Finding[] }>;
}

export const systemApi = apiToken<SystemApi>("system");
