import { apiToken, type Finding } from "#core/feature.ts";

export interface SystemApi {
  /** Looks at every part anew; the gravest findings first. */
  examine(): Promise<{ findings: Finding[] }>;
}

export const systemApi = apiToken<SystemApi>("system");
